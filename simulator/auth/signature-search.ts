/**
 * Looks for the mistake behind a signature that did not verify: it signs the request with known mistakes and compares the
 * result with the received signature. First every mistake alone, then the common ones in pairs, then all other pairs.
 *
 * **Invariant.** It names the mistake and never the correct signature: neither the secret nor any digest leaves this file.
 * Comparisons of equal lengths take constant time, because a near miss can be the right signature of another request.
 *
 * **Cost.** `atOnce` makes a few hundred digests, `goOn` some thousands, as many as fit into the time that it is given. Both
 * only in diagnostics mode.
 */
import { timingSafeEqual } from "node:crypto";
import {
  appliesTo,
  mistakenSigner,
  type RequestToSign,
  type Signed,
  type SignWith,
} from "./mistaken-signature.ts";
import { type Edit, knownMistakes, type Mistake } from "./mistakes.ts";

export interface RefusedRequest extends RequestToSign {
  readonly signature: string;
}

/** The result of the search so far. */
export interface Diagnosis {
  /** `unfinished` while the search goes on, and after one that ran out of time. */
  readonly state: "found" | "unexplained" | "unfinished" | "notSearched";
  /** Ids of fixtures/signing/mistakes.yaml. */
  readonly mistakes: readonly string[];
  /** The mistake and its remedy; null while nothing is found. */
  readonly hint: string | null;
  readonly expectedCanonical: string;
  /** The text that the client signed; null while it is unknown. */
  readonly signedCanonical: string | null;
  /** Null where the texts are equal, or the client's is unknown. */
  readonly firstDifference: Difference | null;
  /** How many mistakes and pairs were tried. */
  readonly tried: number;
}

/** A place in the expected text. */
export interface Difference {
  /** From 1. */
  readonly line: number;
  /** From 0, in UTF-8. */
  readonly byte: number;
}

const mostNamed = 3;
/**
 * Much more than an order has. A longer body is not tried in pairs; JSON that is longer or nested deeper is not
 * serialised again.
 */
const mostBytes = 4096;
const mostBrackets = 256;

export class SignatureSearch {
  readonly #request: RefusedRequest;
  readonly #signWith: SignWith;
  readonly #received: Buffer;
  #pairs: Generator<Pair> | null = null;
  #tried = 0;
  #state: Diagnosis["state"] = "notSearched";
  #found: readonly Mistake[] = [];

  constructor(request: RefusedRequest) {
    this.#request = request;
    this.#signWith = mistakenSigner(request);
    this.#received = Buffer.from(request.signature);
  }

  get isOver(): boolean {
    return this.#state !== "unfinished";
  }

  /** Every mistake alone, and the common ones in pairs. */
  atOnce(): Diagnosis {
    const borrowed = [...(this.#request.otherSecrets ?? [])].slice(0, mostSecrets).map(borrowedSecret);
    const known = knownMistakes().mistakes.filter((mistake) => canBeTried(mistake, this.#request));
    const possible = [...known, ...borrowed];
    const tried = possible.map((mistake) => ({ mistake, outcome: this.#try(mistake) }));
    this.#found = tried.flatMap(({ mistake, outcome }) => (outcome === "explains" ? mistake : []));
    if (this.#found.length > 0) this.#state = "found";
    else if (this.#request.body.length > mostBytes) this.#state = "unexplained";
    else {
      this.#state = "unfinished";
      this.#pairs = pairsOf(
        tried.flatMap(({ mistake, outcome }) =>
          outcome === "impossible" || borrowed.includes(mistake) ? [] : mistake,
        ),
      );
      this.#tryPairs(({ areCommon }) => areCommon);
    }
    return this.diagnosis;
  }

  /** Tries pairs for this many milliseconds, and finishes the pair that it is at. */
  goOn(milliseconds: number): void {
    const end = performance.now() + milliseconds;
    this.#tryPairs(() => performance.now() < end);
  }

  get diagnosis(): Diagnosis {
    const expected = textOf(this.#signWith());
    const signed = this.#found.length === 0 ? null : textOf(this.#signedWith(this.#found));
    const conjunction = this.#together ? " and " : " or if ";
    return {
      state: this.#state,
      mistakes: this.#found.slice(0, mostNamed).map(({ id }) => id),
      hint: this.#found.length === 0 ? null : hintFor(this.#found.slice(0, mostNamed), conjunction),
      expectedCanonical: shown(expected),
      signedCanonical: signed === null ? null : shown(signed),
      firstDifference: signed === null ? null : firstDifference(expected, signed),
      tried: this.#tried,
    };
  }

  /** Found as a pair, and not as several mistakes of which each comes to the same. */
  get #together(): boolean {
    return this.#pairs !== null;
  }

  #signedWith(mistakes: readonly Mistake[]): Signed | null {
    return this.#signWith(...(this.#together ? mistakes : mistakes.slice(0, 1)).map(({ edit }) => edit));
  }

  #tryPairs(mayGoOn: (last: Pair) => boolean): void {
    for (;;) {
      const next = this.#pairs?.next();
      if (next === undefined || next.done === true) {
        this.#state = "unexplained";
        return;
      }
      const pair = next.value;
      if (this.#try(...pair.mistakes) === "explains") {
        this.#found = pair.mistakes;
        this.#state = "found";
        return;
      }
      if (!mayGoOn(pair)) return;
    }
  }

  #try(...mistakes: readonly Mistake[]): "explains" | "differs" | "impossible" {
    const signed = this.#signWith(...mistakes.map(({ edit }) => edit));
    if (signed === null) return "impossible";
    this.#tried += 1;
    const made = Buffer.from(signed.signature);
    const isEqual = made.length === this.#received.length && timingSafeEqual(made, this.#received);
    return isEqual ? "explains" : "differs";
  }
}

/** Tried alone: in pairs with every mistake, the keys of a world would take the time of all others. */
const mostSecrets = 64;

const borrowedSecret = ([name, secret]: readonly [string, string]): Mistake => ({
  id: "secret-of-another-key",
  title: `the secret of the key ${name} is used`,
  edit: { key: { set: secret } },
  remedy: "Use the secret that belongs to the key id in X-API-KEY.",
});

function canBeTried({ edit, when, sent }: Mistake, request: RequestToSign): boolean {
  if (sent === true || !appliesTo(when, request)) return false;
  return (
    !rewritesJson(edit) || (request.body.length <= mostBytes && bracketsIn(request.body) <= mostBrackets)
  );
}

interface Pair {
  readonly mistakes: readonly [Mistake, Mistake];
  readonly areCommon: boolean;
}

/** The common ones with each other first. */
export function* pairsOf(mistakes: readonly Mistake[]): Generator<Pair> {
  const rank = ({ common }: Mistake): number => (common === true ? 0 : 1);
  const ranked = mistakes.toSorted((left, right) => rank(left) - rank(right));
  for (const [index, second] of ranked.entries())
    for (const first of ranked.slice(0, index))
      for (const pair of inOrder(first, second)) yield { mistakes: pair, areCommon: second.common === true };
}

/** Both orders where it matters, without one in which the second mistake leaves nothing of the first. */
function inOrder(first: Mistake, second: Mistake): (readonly [Mistake, Mistake])[] {
  const isShared = Object.keys(first.edit).some((name) => name in second.edit);
  if (!isShared) return [[first, second]];
  const orders = [
    [first, second],
    [second, first],
  ] as const;
  return orders.filter(
    ([before, after]) => !Object.keys(before.edit).every((name) => setsAnew(after.edit, name)),
  );
}

const onlyOne: readonly string[] = ["bodyDigest", "order", "joiner", "digest"];

function setsAnew(edit: Edit, name: string): boolean {
  if (onlyOne.includes(name)) return name in edit;
  const word = [edit[name as "body"]].flat()[0]; // as: a member that holds a change, if the edit has it
  return typeof word === "object" && "set" in word;
}

const rewritesJson = ({ body }: Edit): boolean => typeof body === "object" && "json" in body;

function bracketsIn(body: Uint8Array): number {
  return body.reduce((count, byte) => (byte === 0x5b || byte === 0x7b ? count + 1 : count), 0);
}

function hintFor(found: readonly Mistake[], conjunction: string): string {
  const remedies = [...new Set(found.map(({ remedy }) => remedy))].join(" ");
  return `The signature matches if ${found.map(({ title }) => title).join(conjunction)}. ${remedies}`;
}

const textOf = (signed: Signed | null): Buffer => Buffer.from(signed?.text ?? "");

const mostShown = 8192;

/** In hex what is no text. */
function shown(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  const readable = text.includes("\u{fffd}") || text.includes("\u0000") ? `0x${bytes.toString("hex")}` : text;
  return readable.slice(0, mostShown);
}

function firstDifference(expected: Buffer, signed: Buffer): Difference | null {
  if (expected.equals(signed)) return null;
  const found = expected.findIndex((value, index) => value !== signed[index]);
  const byte = found === -1 ? expected.length : found;
  const line = expected.subarray(0, byte).filter((value) => value === 0x0a).length + 1;
  return { line, byte };
}
