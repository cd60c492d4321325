/**
 * The legal variations that the settings of a world name at the moment, around the parts of its venue. fixtures/spec/freedoms.yaml
 * says which option of which freedom each of them is.
 *
 * **Invariants.** A variation that can be in force here remembers nothing, so a world that was forked or opened again behaves
 * as it did. With none in force, every part is the one that was given. The content of an answer does not depend on its delay.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import type { Authenticator } from "../auth/authenticate.ts";
import { invariant } from "../domain/invariant.ts";
import { keyedDraw } from "../domain/keyed-hash.ts";
import type { LeavingAnswer, Reshape } from "../http/reshape.ts";
import type { Serve } from "../http/route.ts";
import type { SeamParts } from "../seams.ts";
import { askedBy } from "./asked.ts";
import type { Decorators } from "./defect.ts";
import { legalAnswers } from "./legal-answers.ts";
import { legalRules } from "./legal-rules.ts";
import { serveDecorated } from "./serve-decorated.ts";

const variations = new Map([...legalAnswers, ...legalRules].map((one) => [one.id, one]));

/** Indents the text of an answer. */
const layout = "V-02";

/** Decorators are applied from the last to the first, and each change of a record writes the text in one line again. */
const outermostFirst = (ids: readonly string[]): readonly string[] =>
  ids.toSorted((one, other) => Number(other === layout) - Number(one === layout));

export class VariationsInForce {
  readonly #parts: SeamParts;
  #named: readonly string[] | undefined;
  #decorators: readonly Decorators[] = [];
  #answers = 0;

  constructor(parts: SeamParts) {
    this.#parts = parts;
  }

  authenticator(inner: Authenticator): Authenticator {
    const current = this.#composed(() =>
      this.#decorators.reduceRight((made, { authenticator }) => authenticator?.(made) ?? made, inner),
    );
    return {
      settings: inner.settings,
      screen: (sent) => current().screen(sent),
      verify: (screened, request) => current().verify(screened, request),
      shown: inner.shown,
    };
  }

  serve(inner: Serve): Serve {
    const current = this.#composed(() =>
      this.#decorators.length === 0 ? inner : serveDecorated(inner, this.#parts, this.#decorators),
    );
    return async (route, call) => {
      const reply = await current()(route, call);
      const { answerDelayMs = 0 } = this.#parts.venue.state.settings;
      if (answerDelayMs > 0) await wait(this.#delayBelow(answerDelayMs));
      return reply;
    };
  }

  reshape(): Reshape | null {
    this.#refresh();
    return this.#decorators.some(({ answer }) => answer !== undefined) ? this.#change : null;
  }

  readonly #change = (given: LeavingAnswer, request: FastifyRequest): LeavingAnswer => {
    const asked = askedBy(request, this.#parts.prefix);
    return this.#decorators.reduceRight((made, { answer }) => {
      const changed = answer?.(made, asked) ?? made;
      invariant(!(changed instanceof Promise), "a variation of a running world changes answers at once");
      return changed;
    }, given);
  };

  /** Made again when other variations are in force. */
  #composed<Part>(make: () => Part): () => Part {
    let made: { readonly of: readonly Decorators[]; readonly part: Part } | null = null;
    return () => {
      this.#refresh();
      if (made?.of !== this.#decorators) made = { of: this.#decorators, part: make() };
      return made.part;
    };
  }

  #refresh(): void {
    const { variations: named } = this.#parts.venue.state.settings;
    if (named === this.#named) return;
    this.#named = named;
    this.#decorators = outermostFirst(named ?? []).map((id) => {
      const variation = variations.get(id);
      invariant(variation !== undefined, `the variation ${id} of the settings is in the catalogue`);
      return variation.decorate(this.#parts);
    });
  }

  #delayBelow(most: number): number {
    this.#answers += 1;
    return keyedDraw(this.#parts.venue.world.seed, "answer-delay", "answer", this.#answers) % (most + 1);
  }
}
