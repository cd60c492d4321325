import type { FastifyReply, FastifyRequest } from "fastify";
import type { RawRefusal } from "./connections.ts";

/** Sees exchanges as they end. */
export interface ExchangeObserver {
  /** An answer is about to be written. */
  readonly answered: (request: FastifyRequest, reply: FastifyReply, payload: unknown) => void;
  /** The connection was closed in place of an answer. */
  readonly dropped: (request: FastifyRequest) => void;
  readonly refusedOnSocket: (refusal: RawRefusal) => void;
}

/** All observers of a listener; more may come while it runs. */
export class Observers implements ExchangeObserver {
  readonly #all: ExchangeObserver[] = [];

  add(observer: ExchangeObserver): void {
    this.#all.push(observer);
  }

  answered(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    for (const one of this.#all) one.answered(request, reply, payload);
  }

  dropped(request: FastifyRequest): void {
    for (const one of this.#all) one.dropped(request);
  }

  refusedOnSocket(refusal: RawRefusal): void {
    for (const one of this.#all) one.refusedOnSocket(refusal);
  }
}
