/** Placements whose answer is not there yet, or never was. */
import type { Socket } from "node:net";

/** Ids whose placement is on its way, and a little longer. */
export class InFlight {
  readonly #ids = new Map<string, number>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  async during<T>(id: string, work: () => Promise<T>): Promise<T> {
    this.#ids.set(id, (this.#ids.get(id) ?? 0) + 1);
    try {
      return await work();
    } finally {
      setTimeout(() => this.#leave(id), lingerMs).unref();
    }
  }

  #leave(id: string): void {
    const left = (this.#ids.get(id) ?? 1) - 1;
    if (left === 0) this.#ids.delete(id);
    else this.#ids.set(id, left);
  }
}
const lingerMs = 10;

/**
 * Ids whose answer cannot have been read, because the connection closed with the request or right after it: the venue is
 * often done before it hears that the client hung up, so that an answer written says nothing.
 */
export class LostAnswers {
  readonly #latest = new WeakMap<Socket, { readonly id: string; readonly at: number }>();
  readonly #lost = new Set<string>();

  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  expect(socket: Socket, id: string): void {
    if (!this.#latest.has(socket)) socket.once("close", () => this.#closed(socket));
    this.#latest.set(socket, { id, at: this.#now() });
  }

  /** True once for each loss. */
  wasLost(id: string): boolean {
    return this.#lost.delete(id);
  }

  #closed(socket: Socket): void {
    const last = this.#latest.get(socket);
    if (last !== undefined && this.#now() - last.at < hungUpWithinMs) this.#lost.add(last.id);
  }
}
const hungUpWithinMs = 100;
