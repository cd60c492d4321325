import { randomUUID } from "node:crypto";
import { type ExactDecimal, parseDecimal, plain } from "./check/decimal.ts";
import { Egress } from "./client/egress.ts";
import { Redactor } from "./client/redact.ts";
import { Target } from "./client/target.ts";
import type { ConformOptions } from "./conform.ts";
import { readSuite } from "./load-suite.ts";
import { UsageError } from "./model/position.ts";
import {
  type Budget,
  type ProductPlan,
  type Profile,
  type SafetyClass,
  safetyClasses,
} from "./model/profile.ts";
import type { CaseRow } from "./model/scenario.ts";
import type { Fragments } from "./model/step.ts";
import { effortOf } from "./parse/effort.ts";
import { phaseLimits } from "./properties/phase-limits.ts";
import { followCases } from "./property-phase.ts";
import { profileOf } from "./run-input.ts";
import { Market } from "./runner/prepare/market.ts";
import { select } from "./runner/prepare/select.ts";
import { sum, type UpperBounds, upperBoundsOf } from "./runner/prepare/upper-bounds.ts";
import { whyNotRun } from "./runner/prepare/why-not-run.ts";
import { Session } from "./runner/session.ts";

export interface PlannedCase {
  readonly id: string;
  readonly safety: SafetyClass;
  /** `runs`, or why the row does not run. An unknown feature does not count as absent. */
  readonly gate: "runs" | "blocked" | "not applicable";
  readonly reason?: string;
  readonly most: UpperBounds;
  /** Requests at a target that works correctly, including those that cancel its orders. */
  readonly requests: number;
  /** The time of its sleeps and of its waits for silence; `alone` if no other request is sent meanwhile. */
  readonly waits: { readonly ms: number; readonly alone: boolean };
  /** Orders that are created at a target that works correctly. */
  readonly orders: number;
  /** The largest notional of those orders, decimal by quote asset; empty if the profile does not limit it. */
  readonly notional: Readonly<Record<string, string>>;
}

/** The duration of the cases at the rate of the profile. */
export interface PlannedTime {
  readonly rps: number;
  /** At a target that works correctly and answers at once, including the first requests of every run. */
  readonly requests: number;
  readonly waitSeconds: number;
  /** `requests / rps`, and the waits besides. */
  readonly seconds: number;
  /** With every poll to its end. */
  readonly mostSeconds: number;
  /** The most time that properties add, if they are requested for a target beyond this machine. */
  readonly propertySeconds: number;
  /** Do they follow automatically? Then they have no limit, and `seconds` is only for the cases. */
  readonly propertiesFollow: boolean;
}

export interface RunPlan {
  readonly target: string;
  readonly baseUrl: string;
  readonly allow: SafetyClass;
  readonly budget: Budget;
  readonly cases: readonly PlannedCase[];
  readonly totals: {
    readonly runs: number;
    readonly blocked: number;
    readonly notApplicable: number;
    readonly most: UpperBounds;
    readonly orders: number;
    readonly notional: Readonly<Record<string, string>>;
  };
  readonly time: PlannedTime;
  /** The parts of the run that exceed the budget. */
  readonly beyondBudget: readonly string[];
}

/**
 * The requests that a run would send, and the rows that would not run with their reasons, from the files alone. Nothing
 * is sent, so nothing is known about the target: prices and sizes are those of the profile, and a plan contains no
 * verdict.
 */
export async function planRun(options: ConformOptions): Promise<RunPlan> {
  const profile = await profileOf(options);
  const { suite, problems } = await readSuite(options.scenarios ?? []);
  if (problems.length > 0) throw new UsageError("the scenarios are not valid", problems);
  const { only = [], skip = [], level = "core" } = options;
  const selected = select(suite.scenarios, { only, skip, level, order: "stable" }, suite, 1);
  const egress = new Egress(profile);
  await using target = new Target(egress, "gatewright plan: sends nothing");
  const session = new Session({
    profile,
    target,
    egress,
    redactor: new Redactor(new Map()),
    clauses: suite.clauses,
    fragments: suite.fragments,
    seed: 1,
    salt: "",
    now: Date.now,
    nonce: randomUUID,
  });
  const market = Market.unseen(profile);
  egress.rules = { listed: namedIn(profile), far: (product, side) => market.farPrice(product, side) };
  const cases = selected.rows.map((row) => plannedCase(row, session, market, suite.fragments));
  return planOf(profile, cases, followCases(profile, options));
}

/** Those of the target's listed pairs that are known without a request. */
function namedIn({ safety, facts }: Profile): ReadonlySet<string> {
  return new Set([...Object.keys(safety.products), String(facts["disabledProduct"] ?? "")]);
}

function plannedCase(row: CaseRow, session: Session, market: Market, fragments: Fragments): PlannedCase {
  const notRun = whyNotRun(row, session, market);
  const { orders, requests, sleepMs, alone } = effortOf(row.scenario, row.row, fragments);
  const cancels = typeof session.profile.operations["cancelOrder"] === "object" ? orders : 0;
  const most = upperBoundsOf(row, fragments);
  return {
    id: row.id,
    safety: row.scenario.safety,
    gate: notRun === undefined ? "runs" : notRun.outcome === "blocked" ? "blocked" : "not applicable",
    ...(notRun === undefined ? {} : { reason: notRun.reason }),
    most,
    requests: requests + cancels,
    waits: { ms: sleepMs, alone: alone !== undefined },
    orders,
    notional: worstNotional(orders, session.profile),
  };
}

/** A signed read, the products and up to four books. */
const preflightRequests = 6;

/** Waits of `alone` rows add up. Of the waits beside others only the longest of each class counts. */
function timeOf(
  cases: readonly PlannedCase[],
  most: UpperBounds,
  { rps }: Budget,
): Omit<PlannedTime, "propertiesFollow"> {
  const requests = cases.reduce((total, planned) => total + planned.requests, preflightRequests);
  const alone = cases.reduce((total, { waits }) => total + (waits.alone ? waits.ms : 0), 0);
  const longest = safetyClasses.map((safety) =>
    Math.max(0, ...cases.map((one) => (one.safety === safety && !one.waits.alone ? one.waits.ms : 0))),
  );
  const waitSeconds = (alone + longest.reduce((total, ms) => total + ms, 0)) / 1000;
  const rounded = (seconds: number): number => Math.round(seconds * 10) / 10;
  return {
    rps,
    requests,
    waitSeconds: rounded(waitSeconds),
    seconds: rounded(requests / rps + waitSeconds),
    mostSeconds: rounded(most.requests / rps + waitSeconds),
    propertySeconds: rounded(phaseLimits.requests / rps),
  };
}

function planOf(profile: Profile, cases: readonly PlannedCase[], propertiesFollow: boolean): RunPlan {
  const running = cases.filter((planned) => planned.gate === "runs");
  const orders = running.reduce((total, planned) => total + planned.orders, 0);
  const totals = {
    runs: running.length,
    blocked: cases.filter((planned) => planned.gate === "blocked").length,
    notApplicable: cases.filter((planned) => planned.gate === "not applicable").length,
    most: sum(running.map(({ most }) => most)),
    orders,
    notional: worstNotional(orders, profile),
  };
  const { budget, allow } = profile.safety;
  const { name, baseUrl } = profile;
  const beyondBudget = beyond(profile, totals);
  const time = { ...timeOf(running, totals.most, budget), propertiesFollow };
  return { target: name, baseUrl: baseUrl.href, allow, budget, cases, totals, time, beyondBudget };
}

function beyond({ safety }: Profile, { most, orders, notional }: RunPlan["totals"]): string[] {
  const { budget } = safety;
  const over = (what: string, count: number, allowed: number): string[] =>
    count <= allowed ? [] : [`${count} ${what} are more than the ${allowed} of safety.budget`];
  const seconds = most.requests / budget.rps;
  return [
    ...over("requests", most.requests, budget.requests),
    ...over("orders", orders, budget.orders),
    ...over("minutes", Math.ceil(seconds / 60), budget.minutes),
    ...Object.entries(notional).flatMap(([quote, amount]) => {
      const cap = parseDecimal(safety.notional[quote] ?? "");
      const total = parseDecimal(amount);
      if (cap === undefined || total === undefined || total.lte(cap)) return [];
      return [`${amount} ${quote} are more than the ${plain(cap)} of safety.notional`];
    }),
  ];
}

/**
 * The notional if every order costs as much as the most expensive one of the profile, or as the cap for one order
 * allows.
 */
function worstNotional(orders: number, { safety }: Profile): Record<string, string> {
  const worst = new Map<string, ExactDecimal>();
  for (const [product, stated] of Object.entries(safety.products)) {
    const quote = product.split("-")[1] ?? "?";
    const cap = parseDecimal(safety.notionalPerOrder[quote] ?? "");
    const dearest = [cap ?? dearestOf(stated), worst.get(quote)].filter((cost) => cost !== undefined);
    const most = dearest.toSorted((a, b) => b.comparedTo(a))[0];
    if (most !== undefined) worst.set(quote, most);
  }
  return Object.fromEntries(
    [...worst].flatMap(([quote, cost]) => (orders === 0 ? [] : [[quote, plain(cost.times(orders))]])),
  );
}

function dearestOf({ qty, spend, ...prices }: ProductPlan): ExactDecimal | undefined {
  const quantity = parseDecimal(qty ?? "");
  const { buyFar, sellFar, buyNear, sellNear, buyCross, sellCross } = prices;
  const costs = [buyFar, sellFar, buyNear, sellNear, buyCross, sellCross]
    .map((price) => parseDecimal(price ?? ""))
    .map((price) => (price === undefined || quantity === undefined ? undefined : price.times(quantity)));
  const known = [...costs, parseDecimal(spend ?? "")].filter((cost) => cost !== undefined);
  return known.toSorted((a, b) => b.comparedTo(a))[0];
}
