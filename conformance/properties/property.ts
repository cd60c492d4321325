import type fc from "fast-check";
import type { WrittenStep } from "../model/language.ts";
import type { Profile, SafetyClass } from "../model/profile.ts";
import type { Requirements, Scenario } from "../model/scenario.ts";
import type { ValueMap } from "../model/value.ts";
import type { Market } from "../runner/prepare/market.ts";
import type { Tuple } from "./covering-array.ts";
import type { Table } from "./table.ts";

/**
 * A property is a statement about every request of a kind, where a case is about one. It generates plans, and a plan
 * is nothing but the variables and steps of a scenario file: the runner that executes files executes plans, the
 * matchers that judge files judge plans, and a plan that fails is a file once it is printed (docs/properties.md).
 *
 * Invariant: a plan names identifiers (`${id.a}`), it never contains one. Each execution, every attempt at shrinking
 * included, draws its own; otherwise the second attempt would meet the orders and nonces of the first.
 */
export interface Plan {
  readonly vars?: ValueMap;
  /** Steps as a scenario file writes them. */
  readonly steps: readonly WrittenStep[];
  /** As in a scenario file, where plans run beside each other. */
  readonly isolation?: Scenario["isolation"];
  /** Where it stands in its table; more than one place when it tries several things, one after the other. */
  readonly tuples?: readonly Tuple[];
  /** Then also the plans that try one of them each. */
  readonly alone?: () => readonly Plan[];
}

/** What a generator may look at. It must not look at answers: a plan is made before anything is sent. */
export interface Situation {
  readonly profile: Profile;
  readonly market: Market;
}

/** Sends a plan of one request and tells the status of the answer; undefined when none came or nothing may be spent. */
export type Ask = (plan: Plan) => Promise<number | undefined>;

export interface Property {
  /** `P-18`: the number it has in the documentation, in reports and for --only. */
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
  /** The most that one plan can cost; it is not started when less than that is left. */
  readonly cost: { readonly requests: number; readonly orders: number };
  /** The evidence outlives the race that made it (two orders with one key): seen once is enough. With clauses, that of these. */
  readonly durable?: boolean | readonly string[];
  /** Plans to draw from, or the whole list where it is short. */
  readonly plans: (situation: Situation) => fc.Arbitrary<Plan> | readonly Plan[];
  /** The table that the plans are made from. */
  readonly table?: Table;
  /** Asked once when the property holds: what the target does where the choice is its own, for the behaviour sheet. */
  readonly observe?: (ask: Ask) => Promise<Readonly<Record<string, string>>>;
}
