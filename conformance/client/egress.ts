import { onAnswer } from "../check/own-failure.ts";
import type { Exchange, SentRequest } from "../model/exchange.ts";
import { Blocked } from "../model/outcome.ts";
import { isOurs, type Profile } from "../model/profile.ts";
import { type Cost, Spending, type Spent } from "./budget.ts";
import { assertHostAllowed } from "./host-guard.ts";
import { type OrderRules, orderProblem } from "./order-guard.ts";
import { createdNothing, OrderLedger } from "./order-ledger.ts";
import { costOf, isOrder, scanOrder } from "./order-scan.ts";
import { messageProblem, readRequest, requestProblem } from "./request-guard.ts";
import { routeProblem } from "./route-guard.ts";
import { Traffic } from "./traffic.ts";

export type Purpose = "case" | "cleanup";

/**
 * The one way from the kit to the wire: Target sends only requests that have passed here, so no step, property or probe
 * can bypass a rule (docs/live-safety.md). Order: guards, then the wait for a place among the open orders and for one
 * on the wire, then the budget, then the ledger. An order that the ledger could not record is not sent.
 */
export class Egress {
  readonly profile: Profile;
  readonly ledger: OrderLedger;
  readonly traffic: Traffic;
  /** Set after the preflight, when the listing of the target is known. */
  rules: OrderRules;
  /** Called in a dry run with each order, or with undefined if its values depend on an answer. */
  onDryOrder?: (order: SentRequest | undefined) => void;
  /** Told of each order before it leaves. */
  onOrder: (request: SentRequest) => void = () => undefined;
  /** Identifiers that this run has drawn, which belong to nobody. */
  readonly madeUp = new Set<string>();
  readonly #spending: Spending;
  readonly #signal: AbortSignal | undefined;
  /** Orders that have a place among the open ones, but are not in the ledger yet. */
  #coming = 0;

  /** After the signal only requests of the clean-up are sent. */
  constructor(profile: Profile, ledger = new OrderLedger(), signal?: AbortSignal) {
    assertHostAllowed(profile);
    this.profile = profile;
    const { notional } = profile.safety;
    this.rules = { listed: new Set(), far: () => undefined, most: () => undefined, whole: notional };
    this.ledger = ledger;
    this.traffic = new Traffic(profile);
    this.#spending = new Spending(profile);
    this.#signal = signal;
  }

  get used(): Spent {
    return this.#spending.used;
  }

  /**
   * Throws Blocked if one of the requests must not be sent; then none of them is. `host` is the destination: the
   * target, or its stream.
   */
  async enter(
    requests: readonly SentRequest[],
    purpose: Purpose = "case",
    host = this.profile.baseUrl.host,
  ): Promise<void> {
    for (const request of requests) refuse(this.problem(request, host));
    await this.#pass(requests, purpose);
  }

  /** Could a well-formed request be refused? On this machine only an order above a cap that the profile states. */
  get restricts(): boolean {
    const { notional, notionalPerOrder } = this.profile.safety;
    const hasCap = Object.keys({ ...notional, ...notionalPerOrder }).length > 0;
    return this.onDryOrder !== undefined || !isOurs(this.profile) || hasCap;
  }

  /** Why this request must not be sent, now or later. Sends and counts nothing. */
  problem(request: SentRequest, host = this.profile.baseUrl.host): string | undefined {
    const { madeUp, ledger } = this;
    return (
      requestProblem(request, host, this.profile) ??
      orderProblem(request, this.profile, this.rules) ??
      routeProblem(request, this.profile, (id) => ledger.placed.has(id) || madeUp.has(id))
    );
  }

  /** The same for raw bytes. Returns the request to pass to `leave`. */
  async enterRaw(bytes: Buffer, trickles: boolean, described: SentRequest): Promise<SentRequest> {
    const request = this.readRaw(bytes, trickles, described);
    if (typeof request === "string") throw new Blocked(request);
    await this.#pass([request], "case");
    return request;
  }

  /**
   * The request in raw bytes. On a remote machine it is the request that a server would read in them; on this machine
   * it is the description of the step (`described`) if the bytes are no request. A string is the reason why they must
   * not be sent.
   */
  readRaw(bytes: Buffer, trickles: boolean, described: SentRequest): SentRequest | string {
    const read = readRequest(bytes, this.profile.baseUrl.host);
    if (isOurs(this.profile)) {
      const request = typeof read === "string" ? described : { ...described, ...read };
      return orderProblem(request, this.profile, this.rules) ?? request;
    }
    const danger = trickles ? "bytes that trickle" : read;
    if (typeof danger === "string") return `${danger}: raw bytes of this kind are sent on this machine only`;
    const request = { ...described, ...danger };
    return this.problem(request) ?? request;
  }

  /** A message on an open stream. */
  async enterMessage(message: SentRequest): Promise<void> {
    refuse(this.messageProblem(message.body));
    await this.#pass([message], "case", []);
  }

  messageProblem(body: Uint8Array): string | undefined {
    return messageProblem(body, this.profile);
  }

  async #pass(
    requests: readonly SentRequest[],
    purpose: Purpose,
    orders = requests.filter(isOrder),
  ): Promise<void> {
    const signal = purpose === "cleanup" ? undefined : this.#signal;
    const coming = purpose === "case" && (await this.#comeIn(orders.length, signal)) ? orders.length : 0;
    try {
      await this.traffic.enter(requests.length, signal);
    } finally {
      this.#coming -= coming;
    }
    try {
      if (signal?.aborted === true) throw new Blocked("the run was interrupted");
      this.#reserve(requests, orders, purpose);
    } catch (error) {
      for (const _ of requests) this.traffic.leave();
      throw error;
    }
  }

  /**
   * Cases run at the same time and end the orders that they open, so an order waits for its place among the open ones.
   */
  async #comeIn(orders: number, signal: AbortSignal | undefined): Promise<boolean> {
    const most = this.profile.safety.budget.openOrders;
    return this.traffic.until(() => {
      const fits = orders === 0 || this.ledger.openCount + this.#coming + orders <= most;
      if (fits) this.#coming += orders;
      return fits;
    }, signal);
  }

  /** Called exactly once for each request that entered. */
  leave(exchange: Exchange): void {
    this.traffic.noteStatus(exchange);
    this.traffic.leave();
    const read = (): void => {
      this.ledger.answered(exchange);
      if (exchange.transport !== "message" && isOrder(exchange.request) && createdNothing(exchange))
        this.#spending.giveBackOrder(this.costOf(exchange.request));
    };
    // If the answer cannot be read, the order stays open here; the failure is reported where the answer is judged.
    onAnswer("read", read, () => undefined);
  }

  costOf(order: SentRequest): Cost | undefined {
    return costOf(scanOrder(order), Object.keys(this.profile.safety.products));
  }

  #reserve(requests: readonly SentRequest[], orders: readonly SentRequest[], purpose: Purpose): void {
    this.#spending.reserve(
      {
        requests: requests.length,
        orders: orders.length,
        costs: orders.flatMap((order) => this.costOf(order) ?? []),
        open: this.ledger.openCount,
      },
      purpose,
      this.rules.whole,
    );
    for (const order of orders) {
      this.ledger.sending(order);
      this.onOrder(order);
    }
  }
}

function refuse(problem: string | undefined): void {
  if (problem !== undefined) throw new Blocked(problem);
}
