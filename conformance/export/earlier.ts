import { hiddenValue } from "../recording/hidden.ts";
import { headerIn, type Turn } from "./turn.ts";

/** A request that was written before, for the repetition of its nonce, its body or all of it. */
export interface Earlier {
  readonly step: string;
  readonly turn: Turn;
}

/** The requests that were written so far: the first with a nonce, and the first with a body. */
export class EarlierRequests {
  readonly all: Earlier[] = [];
  readonly #byNonce = new Map<string, Earlier>();
  readonly #byBody = new Map<string, Earlier>();

  add(one: Earlier): void {
    this.all.push(one);
    const nonce = headerIn(one.turn, "x-api-nonce");
    const body = one.turn.isRebuilt === true ? undefined : one.turn.exchange.request.body.text;
    if (nonce !== undefined && nonce !== hiddenValue && !this.#byNonce.has(nonce))
      this.#byNonce.set(nonce, one);
    if (body !== undefined && !this.#byBody.has(body)) this.#byBody.set(body, one);
  }

  withNonceOf(turn: Turn): Earlier | undefined {
    return this.#byNonce.get(headerIn(turn, "x-api-nonce") ?? "");
  }

  withBodyOf({ exchange }: Turn): Earlier | undefined {
    return this.#byBody.get(exchange.request.body.text ?? "");
  }
}
