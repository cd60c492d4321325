import type { Position } from "../model/position.ts";
import { isWithin, type SafetyClass, safetyClasses } from "../model/profile.ts";
import type { Scenario, Step } from "../model/scenario.ts";
import { isList, isMap, textsIn, type Value, type ValueMap } from "../model/value.ts";
import { durationMs } from "./duration.ts";
import { mostNesting, type Names, resolved } from "./known-values.ts";
import { canBeOrder, isOrderCall, isOrderText, meetsTheMarket } from "./order-call.ts";
import { unsendable } from "./sendable.ts";

/**
 * What a case is going to do, read off its steps before anything is sent: lint holds the claims of its author against
 * it, the schedule learns what must not run beside it, shards are balanced by it. Everything here is a least value:
 * a poll may ask more often. Known limit: a body that an earlier step delivers cannot be looked into, so it is taken
 * for an order that rests.
 */
export interface Effort {
  readonly requests: number;
  /** Orders that come into being if the target does as it should. */
  readonly orders: number;
  readonly sleepMs: number;
  /** The mildest class that this can be. */
  readonly safety: SafetyClass;
  readonly roles: ReadonlySet<string>;
  /** Names of the products that it orders or looks at, and templates of names: `{"$product":"liquid"}`; `*` where nothing tells. */
  readonly products: ReadonlySet<string>;
  /** Does it read single orders? */
  readonly readsOrders: boolean;
  /** Are several of its requests under way at once? Then it runs alone, unless it says itself what it has to be kept apart from. */
  readonly races: boolean;
  /** Why nothing may run beside it. */
  readonly alone?: string;
  /** Requests that the transport would never let out. */
  readonly unsendable: readonly { readonly position: Position; readonly problem: string }[];
}

/** Fragments by name; one that is shared is paid for once per run and therefore counts nothing here. */
export type FragmentSteps = ReadonlyMap<
  string,
  { readonly steps: readonly Step[]; readonly vars: ValueMap; readonly shared: boolean }
>;

type Writable = { -readonly [Key in keyof Effort]: Effort[Key] } & {
  roles: Set<string>;
  products: Set<string>;
  unsendable: Effort["unsendable"][number][];
};

const nothing = (): Writable => ({
  requests: 0,
  orders: 0,
  sleepMs: 0,
  safety: "read",
  roles: new Set(),
  products: new Set(),
  readsOrders: false,
  races: false,
  unsendable: [],
});

export function effortOf(
  scenario: Omit<Scenario, "safety">,
  row: ValueMap,
  fragments: FragmentSteps,
): Effort {
  const effort = nothing();
  const reader = new StepReader(effort, { vars: scenario.vars, row }, fragments);
  if (scenario.isolation === "exclusive") effort.alone = "its isolation is exclusive";
  for (const steps of [scenario.setup, scenario.steps, scenario.cleanup]) reader.all(steps, 1);
  if (effort.races && scenario.isolation !== "account") effort.alone ??= "it races";
  return effort;
}

/** The class of a scenario whose author names none: the strongest of its rows. */
export function leastSafety(scenario: Omit<Scenario, "safety">, fragments: FragmentSteps): SafetyClass {
  const rows = scenario.rows.length === 0 ? [{}] : scenario.rows;
  const found = rows.map((row) => effortOf(scenario, row, fragments).safety);
  return safetyClasses.findLast((safety) => found.includes(safety)) ?? "read";
}

class StepReader {
  readonly #effort: Writable;
  readonly #names: Names;
  readonly #fragments: FragmentSteps;

  constructor(effort: Writable, names: Names, fragments: FragmentSteps) {
    this.#effort = effort;
    this.#names = names;
    this.#fragments = fragments;
  }

  all(steps: readonly Step[], times: number, depth = 0): void {
    if (depth > mostNesting) return;
    for (const step of steps) {
      if (step.rows.length === 0) this.#step(step, times, depth);
      for (const row of step.rows)
        this.#below({ ...this.#names, row: { ...this.#names.row, ...row } }).#step(step, times, depth);
    }
  }

  #below(names: Names, effort = this.#effort): StepReader {
    return new StepReader(effort, names, this.#fragments);
  }

  #step(step: Step, times: number, depth: number): void {
    const argument = isMap(step.argument) ? step.argument : {};
    switch (step.action) {
      case "call":
        return this.#call(argument, step, times);
      case "poll":
        return this.#call(argument["call"], step, times * Number(argument["stable"] ?? 1));
      case "never":
        return this.#call(argument["call"], step, times * 2);
      case "raw":
        return this.#raw(argument, step, times);
      case "concurrent":
        this.#effort.races = true;
        for (const branch of step.branches)
          this.all(branch, times * Number(argument["fanout"] ?? 1), depth + 1);
        return;
      case "repeat":
        return this.all(step.steps, times * Number(argument["times"] ?? 1), depth + 1);
      case "group":
        return this.all(step.steps, times, depth + 1);
      case "use":
        return this.#use(step, times, depth);
      case "clock":
        if (!isMoment(argument)) this.#effort.alone ??= "it moves the clock";
        return;
      case "inject":
        this.#effort.alone ??= "it injects a fault";
        return;
      case "ws":
        return this.#stream(argument, step, times);
      case "sleep":
        this.#effort.sleepMs += (durationMs(String(step.argument)) ?? 0) * times;
        return;
      default:
        return;
    }
  }

  /** What a shared fragment does is done once, for all: its traits count, its cost does not. */
  #use(step: Step, times: number, depth: number): void {
    const argument = isMap(step.argument) ? step.argument : {};
    const name = typeof step.argument === "string" ? step.argument : String(argument["fragment"]);
    const fragment = this.#fragments.get(name);
    if (fragment === undefined) return;
    const given = isMap(argument["with"]) ? argument["with"] : {};
    const names = { ...this.#names, vars: { ...this.#names.vars, ...fragment.vars, ...given } };
    if (!fragment.shared) return this.#below(names).all(fragment.steps, times, depth + 1);
    const own = nothing();
    this.#below(names, own).all(fragment.steps, 1, depth + 1);
    this.#atLeast(own.safety);
    for (const role of own.roles) this.#effort.roles.add(role);
    for (const product of own.products) this.#effort.products.add(product);
    this.#effort.readsOrders ||= own.readsOrders;
    this.#effort.races ||= own.races;
    this.#effort.unsendable.push(...own.unsendable);
    if (own.alone !== undefined) this.#effort.alone ??= own.alone;
  }

  #call(template: Value | undefined, step: Step, times: number): void {
    const call = resolved(template ?? {}, this.#names);
    if (!isMap(call)) return;
    this.#effort.requests += times;
    if (call["reuse"] !== undefined) return;
    this.#sends(unsendable(call), step);
    this.#role(call["as"]);
    const params = call["params"];
    if (isMap(params) && params["product"] !== undefined) this.#product(params["product"]);
    if (isOrderCall(call)) return this.#order(call, step, times);
    const op = call["op"];
    const method = call["method"];
    if (op === "readOrder") this.#effort.readsOrders = true;
    else if (op === "cancelOrder")
      this.#atLeast(verdictWanted(step, this.#names) === "refused" ? "reject-only" : "rests");
    else if (op === "depositAddress") this.#atLeast("disruptive");
    else if (typeof method === "string" && method !== "GET" && method !== "HEAD")
      this.#atLeast("reject-only");
  }

  #order(call: ValueMap, step: Step, times: number): void {
    this.#atLeast("reject-only");
    if (isUnsigned(call) || !canBeOrder(call)) return;
    const wanted = verdictWanted(step, this.#names);
    if (wanted === "refused" || wanted === "replayed") return;
    this.#effort.orders += times;
    this.#product(isMap(call["body"]) ? call["body"]["product"] : undefined);
    this.#atLeast(meetsTheMarket(call) ? "trades" : "rests");
  }

  #raw(raw: ValueMap, step: Step, times: number): void {
    this.#effort.requests += times;
    this.#role(raw["as"]);
    const danger = isList(raw["danger"]) ? raw["danger"] : [];
    if (danger.length > 0) this.#effort.alone ??= "it sends dangerous bytes";
    if (danger.some((kind) => kind === "smuggling" || kind === "oversize")) this.#atLeast("disruptive");
    if (!isOrderText(resolved(raw, this.#names))) return;
    this.#atLeast("reject-only");
    if (verdictWanted(step, this.#names) !== "open") return;
    this.#effort.orders += times;
    this.#product(undefined);
    this.#atLeast("rests");
  }

  /** A handshake and each message that is sent are requests; silence that has to be waited for takes its time. */
  #stream(action: ValueMap, step: Step, times: number): void {
    const { connect, frames, none, collect, subscribe } = action;
    const listed = resolved(isMap(subscribe) ? (subscribe["products"] ?? []) : [], this.#names);
    for (const product of isList(listed) ? listed : []) this.#product(product);
    const sends = ["connect", "subscribe", "unsubscribe", "send", "frames"].some(
      (key) => action[key] !== undefined,
    );
    if (sends) this.#effort.requests += times;
    if (isMap(connect) && connect["reuse"] === undefined) {
      const filled = resolved(connect, this.#names);
      if (isMap(filled)) this.#sends(unsendable(filled), step);
      this.#role(connect["as"]);
    }
    if (frames !== undefined) this.#effort.alone ??= "it sends dangerous bytes";
    for (const wait of [none, collect])
      if (isMap(wait)) this.#effort.sleepMs += (durationMs(String(wait["for"])) ?? 0) * times;
  }

  #sends(problem: string | undefined, { position }: Step): void {
    if (problem !== undefined) this.#effort.unsendable.push({ position, problem });
  }

  #product(named: Value | undefined): void {
    const unknown = named === undefined || (typeof named === "string" && named.includes("${"));
    this.#effort.products.add(unknown ? "*" : typeof named === "string" ? named : JSON.stringify(named));
  }

  #role(as: Value | undefined): void {
    const role = String(as ?? "trader");
    if (role !== "anonymous") this.#effort.roles.add(role);
  }

  #atLeast(safety: SafetyClass): void {
    if (!isWithin(safety, this.#effort.safety)) this.#effort.safety = safety;
  }
}

/** So little that others do not feel it: the market gets its chance to act. */
const momentMs = 250;

function isMoment({ advance }: ValueMap): boolean {
  return typeof advance === "string" && (durationMs(advance) ?? Number.POSITIVE_INFINITY) <= momentMs;
}

function isUnsigned(call: ValueMap): boolean {
  const sign = call["sign"];
  return call["as"] === "anonymous" || sign === "none" || (isMap(sign) && sign["base"] === "none");
}

/** What the step says the target has to do with the order; nothing said is open. */
function verdictWanted(step: Step, names: Names): "refused" | "replayed" | "open" {
  const blocks = [step.assertions.expect, step.assertions.should]
    .filter((block) => block !== undefined)
    .map((block) => resolved(block, names));
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

/** Beside a refusal, a connection that is closed on a broken body is as good. */
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
