import type { Exchange, SentRequest } from "../model/exchange.ts";
import { Blocked } from "../model/outcome.ts";
import type { Profile } from "../model/profile.ts";
import { Spending, type Spent } from "./budget.ts";
import { assertHostAllowed } from "./host-guard.ts";
import { type OrderRules, orderProblem } from "./order-guard.ts";
import { createdNothing, OrderLedger } from "./order-ledger.ts";
import { costOf, isOrder, scanOrder } from "./order-scan.ts";
import { Traffic } from "./traffic.ts";

export type Purpose = "case" | "cleanup";

/**
 * The one gate between the kit and the wire: Target lets nothing out that has not passed here, so no step, property
 * or probe can forget a rule (kit.md 6.6). Ordering: guards, then the wait for a place, then the budget, then the
 * ledger; an order that the ledger could not write down is not sent.
 */
export class Passage {
  readonly profile: Profile;
  readonly ledger: OrderLedger;
  readonly traffic: Traffic;
  /** Set after the preflight, when it is known what the target lists. */
  rules: OrderRules = { listed: new Set(), far: () => undefined };
  readonly #spending: Spending;
  readonly #signal: AbortSignal | undefined;

  /** After the signal nothing leaves any more but what cleans up. */
  constructor(profile: Profile, ledger = new OrderLedger(), signal?: AbortSignal) {
    assertHostAllowed(profile);
    this.profile = profile;
    this.ledger = ledger;
    this.traffic = new Traffic(profile);
    this.#spending = new Spending(profile);
    this.#signal = signal;
  }

  get used(): Spent {
    return this.#spending.used;
  }

  /** Throws Blocked when one of the requests must not leave; then none of them does. */
  async enter(requests: readonly SentRequest[], purpose: Purpose): Promise<void> {
    for (const request of requests) {
      const problem = orderProblem(request, this.profile, this.rules);
      if (problem !== undefined) throw new Blocked(problem);
    }
    const signal = purpose === "cleanup" ? undefined : this.#signal;
    await this.traffic.enter(requests.length, signal);
    try {
      if (signal?.aborted === true) throw new Blocked("the run was interrupted");
      this.#reserve(requests, purpose);
    } catch (error) {
      for (const _ of requests) this.traffic.leave();
      throw error;
    }
  }

  /** Exactly once for each request that entered. */
  leave(exchange: Exchange): void {
    this.traffic.noteStatus(exchange);
    this.traffic.leave();
    this.ledger.answered(exchange);
    if (isOrder(exchange.request) && createdNothing(exchange))
      this.#spending.giveBackOrder(costOf(scanOrder(exchange.request.body)));
  }

  #reserve(requests: readonly SentRequest[], purpose: Purpose): void {
    const orders = requests.filter(isOrder);
    this.#spending.reserve(
      {
        requests: requests.length,
        orders: orders.length,
        costs: orders.flatMap((order) => costOf(scanOrder(order.body)) ?? []),
        open: this.ledger.openCount,
      },
      purpose,
    );
    for (const order of orders) this.ledger.sending(order);
  }
}
