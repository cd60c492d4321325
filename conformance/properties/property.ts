import type fc from "fast-check";
import type { WrittenStep } from "../model/language.ts";
import type { Profile, SafetyClass } from "../model/profile.ts";
import type { Requirements, Scenario } from "../model/scenario.ts";
import type { ValueMap } from "../model/value.ts";
import type { Market } from "../runner/prepare/market.ts";
import type { Tuple } from "./covering-array.ts";
import type { Table } from "./table.ts";

/**
 * A property is a statement about every request of a kind; a case is about one request. A property generates plans. A
 * plan has only variables and steps of a scenario file: the runner that executes files executes plans, the matchers
 * that judge files judge plans, and a failing plan can be printed as a file (docs/properties.md).
 *
 * Invariant: a plan names identifiers (`${id.a}`) and never contains one. Each execution, also each attempt at
 * shrinking, draws its own; otherwise the second attempt would meet the orders and nonces of the first.
 */
export interface Plan {
  readonly vars?: ValueMap;
  /** Steps as in a scenario file. */
  readonly steps: readonly WrittenStep[];
  /** As in a scenario file, for plans that run in parallel. */
  readonly isolation?: Scenario["isolation"];
  /** Its place in its table; more than one if it tries several things, one after the other. */
  readonly tuples?: readonly Tuple[];
  /** In that case also the plans that try one of them each. */
  readonly alone?: () => readonly Plan[];
}

/** The data that a generator may use. It must not use answers: a plan is made before anything is sent. */
export interface Situation {
  readonly profile: Profile;
  readonly market: Market;
}

/**
 * Sends a plan of one request and returns the status of the answer; undefined without an answer, or if the budget is
 * used up.
 */
export type Ask = (plan: Plan) => Promise<number | undefined>;

export interface Property {
  /** `P-18`: its number in the documentation, in reports and for --only. */
  readonly id: string;
  readonly title: string;
  readonly spec: readonly string[];
  /** The level of the part of the clauses that it tests, as in a scenario file. */
  readonly level?: NonNullable<Scenario["level"]>;
  readonly assumes?: readonly string[];
  readonly safety: SafetyClass;
  readonly tags?: readonly string[];
  readonly requires?: Partial<Requirements>;
  /** How many plans are tried, on this machine and elsewhere. */
  readonly runs: { readonly local: number; readonly staging: number };
  /** The most that one plan can cost; it is not started if less than that is left. */
  readonly cost: { readonly requests: number; readonly orders: number };
  /** The evidence is lasting (two orders with one key), so one observation is enough. With clauses: only for these. */
  readonly durable?: boolean | readonly string[];
  /** Plans to draw from, or the whole list if it is short. */
  readonly plans: (situation: Situation) => fc.Arbitrary<Plan> | readonly Plan[];
  /** The table that the plans are made from. */
  readonly table?: Table;
  /** Called once if the property holds: how the target behaves where it has a choice, for the behaviour sheet. */
  readonly observe?: (ask: Ask) => Promise<Readonly<Record<string, string>>>;
}
