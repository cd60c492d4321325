import { randomUUID } from "node:crypto";
import { type ExactDecimal, parseDecimal, plain, rounded } from "./check/decimal.ts";
import type { Cost } from "./client/budget.ts";
import { Egress } from "./client/egress.ts";
import { mostTimes, type OrderLimits } from "./client/order-guard.ts";
import { Redactor } from "./client/redact.ts";
import { Target } from "./client/target.ts";
import type { ConformOptions } from "./conform.ts";
import { type Budget, isOurs, type Profile, type SafetyClass, safetyClasses } from "./model/profile.ts";
import type { CaseRow } from "./model/scenario.ts";
import type { Fragments } from "./model/step.ts";
import { YamlReader } from "./parse/yaml-reader.ts";
import { effortOf } from "./plan/effort.ts";
import { phaseLimits } from "./properties/phase-limits.ts";
import { followCases } from "./property-phase.ts";
import { profileWith, validSuite } from "./run-input.ts";
import { Market } from "./runner/prepare/market.ts";
import { limitsOf, quoteOf } from "./runner/prepare/order-limits.ts";
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
  /**
   * The most that those orders cost, decimal by quote asset: their number times the dearest of them. A quote asset whose
   * prices only the target knows is left out.
   */
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

/** Decimals in the base and the quote asset; a member is left out while only the target knows it. */
export interface PlannedLimits {
  /** How many usual orders one order may be. */
  readonly times: number;
  readonly perOrder: Readonly<Record<string, { readonly quantity?: string; readonly notional?: string }>>;
  readonly notional: Readonly<Record<string, string>>;
}

export interface RunPlan {
  readonly target: string;
  readonly baseUrl: string;
  readonly allow: SafetyClass;
  readonly budget: Budget;
  /** Routes that `safety.paths` opens besides the mapped ones. */
  readonly paths: readonly string[];
  readonly cases: readonly PlannedCase[];
  readonly totals: {
    readonly runs: number;
    readonly blocked: number;
    readonly notApplicable: number;
    readonly most: UpperBounds;
    readonly orders: number;
    readonly notional: Readonly<Record<string, string>>;
  };
  /** Beyond this machine: the most of one order by product and of the run by quote asset, as the transport limits them. */
  readonly limits?: PlannedLimits;
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
  using reader = new YamlReader();
  const profile = options.read?.profile ?? (await profileWith(options, reader));
  const suite = options.read?.suite ?? (await validSuite(options, reader));
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
  const limits = limitsOf(profile, market);
  egress.rules = {
    listed: namedIn(profile),
    far: (product, side) => market.farPrice(product, side),
    ...limits,
  };
  const cases = selected.rows.map((row) => plannedCase(row, session, market, suite.fragments));
  return planOf(profile, cases, limits, followCases(profile, options));
}

/** Those of the target's listed pairs that are known without a request. */
function namedIn({ safety, facts }: Profile): ReadonlySet<string> {
  return new Set([...Object.keys(safety.products), String(facts["disabledProduct"] ?? "")]);
}

function plannedCase(row: CaseRow, session: Session, market: Market, fragments: Fragments): PlannedCase {
  const costs = new OrderCosts(session);
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
    notional: costs.times(orders),
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

function planOf(
  profile: Profile,
  cases: readonly PlannedCase[],
  limits: OrderLimits,
  propertiesFollow: boolean,
): RunPlan {
  const running = cases.filter((planned) => planned.gate === "runs");
  const orders = running.reduce((total, planned) => total + planned.orders, 0);
  const totals = {
    runs: running.length,
    blocked: cases.filter((planned) => planned.gate === "blocked").length,
    notApplicable: cases.filter((planned) => planned.gate === "not applicable").length,
    most: sum(running.map(({ most }) => most)),
    orders,
    notional: sumOf(running.map(({ notional }) => notional)),
  };
  const { budget, allow, paths } = profile.safety;
  const { name, baseUrl } = profile;
  const beyondBudget = beyond(profile, totals, limits);
  const time = { ...timeOf(running, totals.most, budget), propertiesFollow };
  return {
    target: name,
    baseUrl: baseUrl.href,
    allow,
    budget,
    paths,
    cases,
    totals,
    ...shownLimits(profile, limits),
    time,
    beyondBudget,
  };
}

function beyond(
  { safety: { budget } }: Profile,
  { most, orders, notional }: RunPlan["totals"],
  { whole }: OrderLimits,
): string[] {
  const over = (what: string, count: number, allowed: number): string[] =>
    count <= allowed ? [] : [`${count} ${what} are more than the ${allowed} of safety.budget`];
  const seconds = most.requests / budget.rps;
  return [
    ...over("requests", most.requests, budget.requests),
    ...over("orders", orders, budget.orders),
    ...over("minutes", Math.ceil(seconds / 60), budget.minutes),
    ...Object.entries(notional).flatMap(([quote, amount]) => {
      const cap = parseDecimal(whole[quote] ?? "");
      const total = parseDecimal(amount);
      if (cap === undefined || total === undefined || total.lte(cap)) return [];
      return [`${amount} ${quote} are more than the ${plain(cap)} of safety.notional`];
    }),
  ];
}

/** The costs of the orders of one case, from the requests that the run would send. */
class OrderCosts {
  readonly #dearest = new Map<string, ExactDecimal>();

  constructor({ profile, parts: { egress } }: Session) {
    egress.onDryOrder = (order) => {
      if (order === undefined) this.#addMost(profile, egress.rules);
      else this.#add(egress.costOf(order));
    };
  }

  #add(cost: Cost | undefined): void {
    if (cost === undefined || !cost.amount.isFinite()) return;
    const before = this.#dearest.get(cost.quote);
    if (before === undefined || cost.amount.gt(before)) this.#dearest.set(cost.quote, cost.amount);
  }

  /** Only an answer shows what this order is: it may be for any product, and as large as an order may be. */
  #addMost({ safety: { products } }: Profile, { most }: OrderLimits): void {
    for (const product of Object.keys(products)) {
      const amount = most(product)?.notional;
      if (amount !== undefined) this.#add({ quote: quoteOf(product), amount });
    }
  }

  times(orders: number): Record<string, string> {
    const all = [...this.#dearest].map(([quote, cost]) => [quote, moneyOf(cost.times(orders))]);
    return orders === 0 ? {} : (Object.fromEntries(all) as Record<string, string>);
  }
}

function sumOf(all: readonly Readonly<Record<string, string>>[]): Record<string, string> {
  const total = new Map<string, ExactDecimal>();
  for (const [quote, text] of all.flatMap((one) => Object.entries(one))) {
    const amount = parseDecimal(text);
    if (amount !== undefined) total.set(quote, total.get(quote)?.plus(amount) ?? amount);
  }
  return Object.fromEntries([...total].map(([quote, amount]) => [quote, moneyOf(amount)]));
}

const moneyOf = (amount: ExactDecimal): string => plain(rounded(amount, 8, "halfUp"));

function shownLimits(profile: Profile, { most, whole }: OrderLimits): Pick<RunPlan, "limits"> {
  if (isOurs(profile)) return {};
  const amount = (name: string, value: ExactDecimal | undefined): Record<string, string> =>
    value?.isFinite() === true ? { [name]: plain(value) } : {};
  const perOrder = Object.keys(profile.safety.products).map((product) => {
    const { quantity, notional } = most(product) ?? {};
    return [product, { ...amount("quantity", quantity), ...amount("notional", notional) }] as const;
  });
  return { limits: { times: mostTimes, perOrder: Object.fromEntries(perOrder), notional: whole } };
}
