import { setTimeout as wait } from "node:timers/promises";
import { Blocked } from "../model/outcome.ts";
import type { Budget } from "../model/profile.ts";

/** Counts what a run may spend. Reserved before sending, so that the last request is the last one (kit.md 6.6). */
export class Spending {
  readonly #budget: Budget;
  readonly #startedAt: number;
  #requests = 0;
  #orders = 0;
  #nextSlot = 0;

  constructor(budget: Budget) {
    this.#budget = budget;
    this.#startedAt = performance.now();
  }

  get used(): { readonly requests: number; readonly orders: number } {
    return { requests: this.#requests, orders: this.#orders };
  }

  /** `cleanup` requests are counted and never refused: leaving orders behind would be worse than one request more. */
  async reserve(kind: "request" | "order", purpose: "case" | "cleanup" = "case"): Promise<void> {
    const minutes = (performance.now() - this.#startedAt) / 60_000;
    if (purpose === "case") {
      if (this.#requests >= this.#budget.requests)
        throw new Blocked(`the budget of ${this.#budget.requests} requests is used up`);
      if (kind === "order" && this.#orders >= this.#budget.orders) {
        throw new Blocked(`the budget of ${this.#budget.orders} orders is used up`);
      }
      if (minutes > this.#budget.minutes)
        throw new Blocked(`the budget of ${this.#budget.minutes} minutes is used up`);
    }
    this.#requests += 1;
    if (kind === "order") this.#orders += 1;
    await this.#pace();
  }

  /** A refused order has created nothing; what it might have created was reserved until the answer came. */
  giveBackOrder(): void {
    this.#orders -= 1;
  }

  /** Spreads requests over time for targets that are not ours; on this machine the slots are a millisecond apart. */
  async #pace(): Promise<void> {
    const now = performance.now();
    const slot = Math.max(now, this.#nextSlot);
    this.#nextSlot = slot + 1000 / this.#budget.rps;
    if (slot - now >= 2) await wait(slot - now);
  }
}
