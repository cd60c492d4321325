import { type ExactDecimal, parseDecimal, plain } from "../check/decimal.ts";
import { Blocked } from "../model/outcome.ts";
import type { Profile, Safety } from "../model/profile.ts";

/** The largest possible cost of an order, in the quote asset of its pair. */
export interface Cost {
  readonly quote: string;
  readonly amount: ExactDecimal;
}

/** The requests that are about to be sent: one, or all requests of a race. */
export interface Wanted {
  readonly requests: number;
  readonly orders: number;
  readonly costs: readonly Cost[];
  /** Orders that are open or may be open. */
  readonly open: number;
}

export interface Spent {
  readonly requests: number;
  readonly orders: number;
}

/**
 * Counts what a run may spend (docs/live-safety.md). Requests are reserved before sending and in one step, so that the
 * limit holds with any number of waiting requests. The reservation of a refused order is returned after the answer.
 */
export class Spending {
  readonly #profile: Profile;
  readonly #startedAt: number;
  readonly #notional = new Map<string, ExactDecimal>();
  #requests = 0;
  #orders = 0;

  constructor(profile: Profile) {
    this.#profile = profile;
    this.#startedAt = performance.now();
  }

  get used(): Spent {
    return { requests: this.#requests, orders: this.#orders };
  }

  /** A `cleanup` request is counted and never refused: orders left behind would be worse than one more request. */
  reserve(wanted: Wanted, purpose: "case" | "cleanup", notional: Safety["notional"]): void {
    const problem = purpose === "case" ? this.#problem(wanted, notional) : undefined;
    if (problem !== undefined) throw new Blocked(problem);
    this.#requests += wanted.requests;
    this.#orders += wanted.orders;
    for (const { quote, amount } of wanted.costs)
      this.#notional.set(quote, this.#notional.get(quote)?.plus(amount) ?? amount);
  }

  /** A refused order has created nothing; its cost was reserved until the answer came. */
  giveBackOrder(cost: Cost | undefined): void {
    this.#orders -= 1;
    if (cost === undefined) return;
    const reserved = this.#notional.get(cost.quote);
    if (reserved !== undefined) this.#notional.set(cost.quote, reserved.minus(cost.amount));
  }

  #problem({ requests, orders, costs, open }: Wanted, notional: Safety["notional"]): string | undefined {
    const { budget } = this.#profile.safety;
    if (this.#requests + requests > budget.requests)
      return `the budget of ${budget.requests} requests is used up`;
    if (performance.now() - this.#startedAt > budget.minutes * 60_000)
      return `the budget of ${budget.minutes} minutes is used up`;
    if (orders > 0 && this.#orders + orders > budget.orders)
      return `the budget of ${budget.orders} orders is used up`;
    if (orders > 0 && open + orders > budget.openOrders)
      return `orders that may be open already: ${open}; safety.budget.openOrders allows ${budget.openOrders}`;
    for (const { quote, amount } of costs) {
      const cap = parseDecimal(notional[quote] ?? "");
      const total = this.#notional.get(quote)?.plus(amount) ?? amount;
      if (cap !== undefined && !total.lte(cap))
        return `the orders of this run would come to ${plain(total)} ${quote}; safety.notional allows ${plain(cap)}`;
    }
    return undefined;
  }
}
