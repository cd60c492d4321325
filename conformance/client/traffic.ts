import { setTimeout as wait } from "node:timers/promises";
import type { Exchange } from "../model/exchange.ts";
import { Blocked } from "../model/outcome.ts";
import type { Profile } from "../model/profile.ts";

interface Waiter {
  readonly count: number;
  readonly go: () => void;
}

const refusalWindowMs = 60_000;
const quietMs = 1000;
const longestWaitMs = 10_000;
const pollMs = 10;

/**
 * Decides when the next request may be sent: never more at once than the budget's concurrency, never faster than its
 * rps, not during a pause that the target asked for, and not when one more refused credential could lock a key.
 * Requests are sent in the order of their calls; a race asks for all its places at once.
 */
export class Traffic {
  readonly #concurrency: number;
  readonly #intervalMs: number;
  readonly #refusalsAllowed: number;
  readonly #refusals: number[] = [];
  readonly #queue: Waiter[] = [];
  #places = 0;
  #onWire = 0;
  #nextSlot = 0;
  #pausedUntil = 0;
  #waitedMs = 0;
  #waitingSince: number | undefined;
  #waiting = 0;

  constructor({ safety, auth }: Profile) {
    this.#concurrency = safety.budget.concurrency;
    this.#intervalMs = 1000 / safety.budget.rps;
    // One below the limit, because the target may count differently at the edge.
    this.#refusalsAllowed = auth.lockoutAfter === undefined ? Infinity : Math.max(1, auth.lockoutAfter - 1);
  }

  /** A clock that stops while requests wait for permission: the kit's own limits must not make a case late. */
  now(): number {
    const waiting = this.#waitingSince === undefined ? 0 : performance.now() - this.#waitingSince;
    return performance.now() - this.#waitedMs - waiting;
  }

  /** Resolves when `count` requests may be sent together; each must be returned with `leave`. */
  async enter(count: number, signal?: AbortSignal): Promise<void> {
    const most = Math.min(this.#concurrency, this.#refusalsAllowed);
    if (count > most)
      throw new Blocked(
        `${count} requests at once are more than ${most}: see safety.budget.concurrency and auth.lockoutAfter`,
      );
    await this.#place(count);
    this.#begin();
    try {
      for (let delay = this.#delay(count); delay > 1; delay = this.#delay(count))
        await wait(delay, undefined, signal === undefined ? {} : { signal });
    } catch {
      this.#vacate(count);
      throw new Blocked("the run was interrupted");
    } finally {
      this.#finish();
    }
    this.#nextSlot = Math.max(performance.now(), this.#nextSlot) + this.#intervalMs * count;
    this.#onWire += count;
  }

  /**
   * Calls `take` until it succeeds or cannot succeed any more: until no request has been under way for a second, but at
   * most ten seconds. The clock continues meanwhile; otherwise a polling case would never release a place that another
   * case waits for.
   */
  async until(take: () => boolean, signal?: AbortSignal): Promise<boolean> {
    const startedAt = performance.now();
    let busyAt = startedAt;
    while (!take()) {
      const now = performance.now();
      if (this.#places > 0) busyAt = now;
      if (now - busyAt > quietMs || now - startedAt > longestWaitMs || signal?.aborted === true) return false;
      await wait(pollMs);
    }
    return true;
  }

  /** Called once for each request that has entered. */
  leave(): void {
    this.#onWire -= 1;
    this.#vacate(1);
  }

  #vacate(count: number): void {
    this.#places -= count;
    for (let next = this.#queue[0]; next !== undefined && this.#fits(next.count); next = this.#queue[0]) {
      this.#queue.shift();
      this.#places += next.count;
      next.go();
    }
  }

  noteStatus({ reply }: Exchange): void {
    if (reply?.status === 401 || reply?.status === 403) this.#refusals.push(performance.now());
  }

  /** The target is busy: no request is sent until then. */
  pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + milliseconds);
  }

  async #place(count: number): Promise<void> {
    if (this.#queue.length === 0 && this.#fits(count)) this.#places += count;
    else await new Promise<void>((go) => this.#queue.push({ count, go }));
  }

  #fits(count: number): boolean {
    return this.#places + count <= this.#concurrency;
  }

  #delay(count: number): number {
    const now = performance.now();
    while ((this.#refusals[0] ?? now) < now - refusalWindowMs) this.#refusals.shift();
    return Math.max(this.#nextSlot - now, this.#pausedUntil - now, this.#lockedFor(count, now));
  }

  /** Every unanswered request could be refused, so it counts until its answer is there. */
  #lockedFor(count: number, now: number): number {
    if (this.#refusals.length + this.#onWire + count <= this.#refusalsAllowed) return 0;
    const oldest = this.#refusals[0];
    return oldest === undefined || this.#onWire > 0 ? 20 : oldest + refusalWindowMs - now + 1;
  }

  #begin(): void {
    this.#waiting += 1;
    this.#waitingSince ??= performance.now();
  }

  #finish(): void {
    this.#waiting -= 1;
    if (this.#waiting > 0 || this.#waitingSince === undefined) return;
    this.#waitedMs += performance.now() - this.#waitingSince;
    this.#waitingSince = undefined;
  }
}
