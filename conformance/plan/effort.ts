import { durationMs } from "../model/duration.ts";
import { isOpen } from "../model/expr.ts";
import type { Raw } from "../model/language.ts";
import type { Position } from "../model/position.ts";
import { isWithin, type SafetyClass, safetyClasses } from "../model/profile.ts";
import type { CaseRow, Scenario } from "../model/scenario.ts";
import { asJson, type Fragments, type Step, type StreamAction, sends } from "../model/step.ts";
import { isList, isMap, textsIn, toJsonText, type Value, type ValueMap } from "../model/value.ts";
import { type FilledCall, isUnsigned, readCall } from "./call.ts";
import { type CountedPlace, forEachCountedStep } from "./counted-steps.ts";
import { type Names, resolved } from "./known-values.ts";
import { strayAmount } from "./order-amounts.ts";
import { canBeOrder, isOrderCall, isOrderText, meetsTheMarket } from "./order-call.ts";
import { unsendable } from "./sendable.ts";

/**
 * The effort of a case, read from its steps before anything is sent. Lint compares the author's claims with it, the
 * schedule takes from it which cases must not run at the same time, and shards are balanced by it. All values are lower
 * bounds: a poll may send more requests.
 *
 * Known limit: a body that an earlier step delivers is unknown here, so it counts as an order that rests.
 */
export interface Effort {
  readonly requests: number;
  /** Orders that are created if the target works correctly. */
  readonly orders: number;
  readonly sleepMs: number;
  /** The mildest safety class that is possible. */
  readonly safety: SafetyClass;
  readonly roles: ReadonlySet<string>;
  /**
   * Names of the products that the case orders or looks at, and templates of names: `{"$product":"liquid"}`; `*` if the
   * product is unknown.
   */
  readonly products: ReadonlySet<string>;
  /** Does it read single orders? */
  readonly readsOrders: boolean;
  /** Are several of its requests under way at once? Then it runs alone, unless it declares its isolation. */
  readonly races: boolean;
  /** Why no other case may run at the same time. */
  readonly alone?: string;
  /** Requests that the transport would refuse to send. */
  readonly unsendable: readonly { readonly position: Position; readonly problem: string }[];
}

type Writable = { -readonly [Key in keyof Effort]: Effort[Key] } & {
  roles: Set<string>;
  products: Set<string>;
  unsendable: Effort["unsendable"][number][];
};

export function effortOf(scenario: Omit<Scenario, "safety">, row: ValueMap, fragments: Fragments): Effort {
  const effort: Writable = {
    requests: 0,
    orders: 0,
    sleepMs: 0,
    safety: "read",
    roles: new Set(),
    products: new Set(),
    readsOrders: false,
    races: false,
    unsendable: [],
  };
  if (scenario.isolation === "exclusive") effort.alone = "its isolation is exclusive";
  const sent = new Map<string, ValueMap>();
  forEachCountedStep(scenario, row, fragments, (step, place) =>
    new StepEffort(effort, place, sent).add(step),
  );
  if (effort.races && scenario.isolation !== "account") effort.alone ??= "it races";
  return effort;
}

const efforts = new WeakMap<CaseRow, Effort>();

/** Each row is asked several times on the way of a run; the fragments of a run do not change. */
export function effortOfCase(row: CaseRow, fragments: Fragments): Effort {
  const known = efforts.get(row);
  if (known !== undefined) return known;
  const effort = effortOf(row.scenario, row.row, fragments);
  efforts.set(row, effort);
  return effort;
}

/** The safety class of a scenario that names none: the strongest class of its rows. */
export function leastSafety(scenario: Omit<Scenario, "safety">, fragments: Fragments): SafetyClass {
  const rows = scenario.rows.length === 0 ? [{}] : scenario.rows;
  const found = rows.map((row) => effortOf(scenario, row, fragments).safety);
  return safetyClasses.findLast((safety) => found.includes(safety)) ?? "read";
}

/** Adds one step to the effort of its case. */
class StepEffort {
  readonly #effort: Writable;
  readonly #names: Names;
  readonly #times: number;
  /** `${step.request.body}` of the steps before this one. */
  readonly #sent: Map<string, ValueMap>;

  constructor(effort: Writable, { names, times, shared }: CountedPlace, sent: Map<string, ValueMap>) {
    this.#effort = effort;
    this.#sent = sent;
    this.#names = names;
    this.#times = shared ? 0 : times;
  }

  add(step: Step): void {
    switch (step.action) {
      case "call":
        return this.#call(step.call, step, 1);
      case "poll":
        return this.#call(step.call, step, step.stable);
      case "never":
        return this.#call(step.call, step, 2);
      case "raw":
        return this.#raw(step.raw, step);
      case "concurrent":
        this.#effort.races = true;
        return;
      case "clock":
        if (!isMoment(step.clock.advance)) this.#effort.alone ??= "it moves the clock";
        return;
      case "inject":
        this.#effort.alone ??= "it injects a fault";
        return;
      case "ws":
        return this.#stream(step.does, step);
      case "sleep":
        this.#effort.sleepMs += step.forMs * this.#times;
        return;
      default:
        return;
    }
  }

  #call(template: Value, step: Step, rounds: number): void {
    const call = readCall(resolved(template, this.#names));
    this.#effort.requests += this.#times * rounds;
    if (call.reuse !== undefined) return;
    this.#sends(unsendable(call), step);
    this.#role(call.role);
    const { op, method, params } = call;
    if (params["product"] !== undefined) this.#product(params["product"]);
    if (isOrderCall(call)) return this.#order(call, step, this.#times * rounds);
    if (op === "readOrder") this.#effort.readsOrders = true;
    else if (op === "cancelOrder")
      this.#atLeast(verdictWanted(step, this.#names) === "refused" ? "reject-only" : "rests");
    else if (op === "depositAddress") this.#atLeast("disruptive");
    else if (method !== undefined && method !== "GET" && method !== "HEAD") this.#atLeast("reject-only");
  }

  #order(call: FilledCall, step: Step, times: number): void {
    this.#atLeast("reject-only");
    const wanted = verdictWanted(step, this.#names);
    const isCreated = !isUnsigned(call) && canBeOrder(call) && wanted !== "refused" && wanted !== "replayed";
    // A refused order may name a pair that does not exist.
    this.#amounts(step, isCreated);
    if (!isCreated) return;
    this.#effort.orders += times;
    this.#product(isMap(call.body) ? call.body["product"] : undefined);
    this.#atLeast(meetsTheMarket(call) ? "trades" : "rests");
  }

  /** Looks at the amounts of a body, which may be taken from an earlier step. A refused order may name no real pair. */
  #amounts(step: Step, isCreated: boolean): void {
    if (!("call" in step)) return;
    const names = { ...this.#names, vars: { ...this.#names.vars, ...Object.fromEntries(this.#sent) } };
    const body = resolved(step.call.body ?? null, names);
    if (step.id !== undefined) this.#sent.set(step.id, { request: { body } });
    if (isMap(body) && (isCreated || isMap(body["product"]))) this.#sends(strayAmount(body, names), step);
  }

  #raw(raw: Raw, step: Step): void {
    this.#effort.requests += this.#times;
    this.#role(readCall(resolved(raw, this.#names)).role);
    const danger = [raw.danger ?? []].flat();
    if (danger.length > 0) this.#effort.alone ??= "it sends dangerous bytes";
    if (danger.includes("smuggling") || danger.includes("oversize")) this.#atLeast("disruptive");
    if (!isOrderText(resolved(raw, this.#names))) return;
    this.#atLeast("reject-only");
    if (verdictWanted(step, this.#names) !== "open") return;
    this.#effort.orders += this.#times;
    this.#product(undefined);
    this.#atLeast("rests");
  }

  /** A handshake and each message that is sent count as requests; a wait for silence takes its full time. */
  #stream(action: StreamAction, step: Step): void {
    if (sends(action)) this.#effort.requests += this.#times;
    if (action.kind === "subscribe") {
      const listed = resolved(action.subscribe.products ?? [], this.#names);
      for (const product of isList(listed) ? listed : []) this.#product(product);
    } else if (action.kind === "connect" && action.connect.reuse === undefined) {
      const call = readCall(resolved(action.connect, this.#names));
      this.#sends(unsendable(call), step);
      this.#role(call.role);
    } else if (action.kind === "frames") this.#effort.alone ??= "it sends dangerous bytes";
    else if (action.kind === "none" || action.kind === "collect")
      this.#effort.sleepMs += action.forMs * this.#times;
  }

  #sends(problem: string | undefined, { position }: Step): void {
    if (problem !== undefined) this.#effort.unsendable.push({ position, problem });
  }

  #product(named: Value | undefined): void {
    const unknown = named === undefined || (typeof named === "string" && isOpen(named));
    this.#effort.products.add(unknown ? "*" : typeof named === "string" ? named : toJsonText(named));
  }

  #role(role: string): void {
    if (role !== "anonymous") this.#effort.roles.add(role);
  }

  #atLeast(safety: SafetyClass): void {
    if (!isWithin(safety, this.#effort.safety)) this.#effort.safety = safety;
  }
}

/** An advance of the clock that is too short to disturb other cases; it gives the market time to act. */
const momentMs = 250;

function isMoment(advance: string | undefined): boolean {
  return advance !== undefined && (durationMs(advance) ?? Number.POSITIVE_INFINITY) <= momentMs;
}

/** The answer to the order that the step expects of the target; `open` if the step does not say. */
function verdictWanted({ assertions }: Step, names: Names): "refused" | "replayed" | "open" {
  const blocks = [assertions.expect, assertions.should]
    .filter((block) => block !== undefined)
    .map((block) => resolved(asJson(block), names));
  if (blocks.some(isRefusal)) return "refused";
  return blocks.some(isReplay) ? "replayed" : "open";
}
const refusing = ["invalid", "refused", "rejected", "unauthorized", "failedOutcome"];

function isRefusal(block: Value): boolean {
  if (!isMap(block)) return false;
  const branch = block["$switch"] === undefined ? undefined : block[String(block["$switch"])];
  if (branch !== undefined) return isRefusal(branch);
  if (refusing.includes(String(block["$macro"]))) return true;
  const either = block["$anyOf"];
  return (
    isRefusalStatus(block["status"]) || (isList(either) && either.some(isRefusal) && either.every(isNoOrder))
  );
}

/** A closed connection is as good as a refusal when the body is broken. */
function isNoOrder(block: Value): boolean {
  return isRefusal(block) || (isMap(block) && Object.keys(block).join() === "transport");
}

function isRefusalStatus(status: Value | undefined): boolean {
  if (isMap(status) && isList(status["$in"])) return status["$in"].every(isRefusalStatus);
  if (isMap(status) && isList(status["$allOf"])) return status["$allOf"].some(isRefusalStatus);
  if (isMap(status) && status["$cite"] !== undefined) return isRefusalStatus(status["is"]);
  return /^[45](?:\d\d|xx)$/.test(String(status));
}

function isReplay(block: Value): boolean {
  if (!isMap(block)) return false;
  if (String(block["$macro"]).startsWith("replayed(")) return true;
  const either = block["$anyOf"];
  if (isList(either)) return either.every((item) => isReplay(item) || isRefusal(item));
  const texts = textsIn(block);
  return texts.includes("DUPLICATE_REPLAY") && !texts.some((text) => text.includes("NEW_ORDER"));
}
