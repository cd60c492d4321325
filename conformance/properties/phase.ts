import { isOurs } from "../model/profile.ts";
import type { Market } from "../runner/prepare/market.ts";
import type { Task } from "../runner/prepare/schedule.ts";
import { taskOf } from "../runner/run-suite.ts";
import type { Session } from "../runner/session.ts";
import { TaskQueue } from "../runner/wait/task-queue.ts";
import { phaseLimits } from "./phase-limits.ts";
import type { Plan, Property } from "./property.ts";
import { call } from "./templates.ts";
import { scenarioOf, type Trial, tryPlan } from "./trial.ts";

const canaryEvery = 25;
/** The probe may be due after any plan, and is sent twice. */
const canaryCost = 2;

/**
 * The run of all properties: the remaining budget, and the health of the target. Between plans a plain signed GET is
 * sent at intervals. When it fails twice in a row, later results would be noise, and the phase ends
 * (docs/properties.md).
 */
export class Phase {
  readonly session: Session;
  readonly market: Market;
  readonly #signal: AbortSignal | undefined;
  readonly #queue: TaskQueue;
  readonly #startedWith: { readonly requests: number; readonly orders: number };
  #canaryAt: number;
  #sick: string | undefined;

  constructor(session: Session, market: Market, signal: AbortSignal | undefined) {
    this.session = session;
    this.market = market;
    this.#signal = signal;
    this.#queue = new TaskQueue(this.width);
    this.#startedWith = session.parts.egress.used;
    this.#canaryAt = this.#startedWith.requests + canaryEvery;
  }

  /** A staging gateway behind a tunnel has a loopback address, and its traffic is limited nevertheless. */
  get ours(): boolean {
    return isOurs(this.session.profile);
  }

  /** How many plans may run in parallel. On another machine, one follows the other. */
  get width(): number {
    return this.ours ? this.session.profile.safety.budget.concurrency : 1;
  }

  /** Which other plans a plan may run with. */
  taskOf(property: Property, plan: Plan): Task {
    const row = { id: property.id, scenario: scenarioOf(property, plan), row: {}, spec: property.spec };
    return taskOf(row, this.session, this.market);
  }

  /** Runs it as soon as no plan runs that it would disturb, or that would disturb it. */
  beside<T>(task: Task, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(task, work);
  }

  /** No further plan starts. */
  end(reason: string): void {
    this.#sick ??= reason;
  }

  /** The reason why a plan of that cost must not be started; undefined if it may. */
  obstacle({ requests, orders }: Property["cost"]): string | undefined {
    if (this.#sick !== undefined) return this.#sick;
    if (this.#signal?.aborted === true) return "the run was interrupted";
    const { used } = this.session.parts.egress;
    const { budget } = this.session.profile.safety;
    if (used.requests + requests > budget.requests || used.orders + orders > budget.orders)
      return "the rest of safety.budget does not suffice for another run";
    if (this.ours) return undefined;
    const spent = {
      requests: used.requests - this.#startedWith.requests,
      orders: used.orders - this.#startedWith.orders,
    };
    return spent.requests + requests + canaryCost > phaseLimits.requests ||
      spent.orders + orders > phaseLimits.orders
      ? `the properties have used their share: ${phaseLimits.requests} requests, ${phaseLimits.orders} orders`
      : undefined;
  }

  async try(property: Property, plan: Plan, attempt: string): Promise<Trial> {
    const trial = await tryPlan(property, plan, attempt, this.session, this.market);
    await this.#watch();
    return trial;
  }

  async #watch(): Promise<void> {
    if (this.session.parts.egress.used.requests < this.#canaryAt || this.#sick !== undefined) return;
    // Plans may run in parallel; one of them sends the probe.
    this.#canaryAt = Number.POSITIVE_INFINITY;
    const well = (await this.#sings("first")) || (await this.#sings("second"));
    this.#canaryAt = this.session.parts.egress.used.requests + canaryEvery;
    if (!well) this.#sick = "two plain signed requests in a row failed: the target is not itself any more";
  }

  async #sings(attempt: string): Promise<boolean> {
    const plan = { steps: [call("canary", "openOrders", {}, { expect: { status: "2xx" } })] };
    const at = this.session.parts.egress.used.requests;
    const trial = await tryPlan(canary, plan, `${at}-${attempt}`, this.session, this.market);
    return trial.result.outcome === "passed";
  }
}

const canary: Property = {
  id: "P-00",
  title: "A plain signed request is answered",
  spec: ["AUTH-07"],
  safety: "read",
  runs: { local: 1, staging: 1 },
  cost: { requests: 1, orders: 0 },
  plans: () => [],
};
