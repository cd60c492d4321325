import { Blocked } from "../model/outcome.ts";
import { isOurs, type SafetyClass } from "../model/profile.ts";
import { presenceOf } from "../runner/prepare/capability.ts";
import { NotSeenYet } from "../runner/prepare/market.ts";
import { readable } from "../runner/send/order-reading.ts";
import {
  type Covering,
  combinationsIn,
  coveringArray,
  type Group,
  groupsOf,
  type Tuple,
  tupleText,
} from "./covering-array.ts";
import type { Plan, Property, Situation } from "./property.ts";

/**
 * A property that is not random: it lists dimensions, and every pair of values (every triple, where money or other
 * clients are concerned) is in one of its plans. So bugs that need rare combinations are found by construction and not
 * by luck.
 *
 * On this machine plans run in parallel with each other and with those of other properties, so a plan looks only at its
 * own orders. A plan that races, injects a fault or moves the clock by more than a quarter of a second (`settle` does
 * not) runs alone. A plan with an `isolation` does not run while others order for its clients or its products, which
 * costs time.
 */
export interface Table {
  /** `P-40`, as of a property. */
  readonly id: string;
  readonly title: string;
  readonly spec: readonly string[];
  readonly level?: NonNullable<Property["level"]>;
  readonly assumes?: readonly string[];
  readonly safety: SafetyClass;
  /** The needs of every plan; `lacks` states the needs of single values. */
  readonly requires?: NonNullable<Property["requires"]>;
  /** The most that one plan can cost. */
  readonly cost: Property["cost"];
  /** How many plans are tried on another machine; those with the most pairs are taken. */
  readonly staging: number;
  readonly durable?: NonNullable<Property["durable"]>;
  /** In a natural order, with the plainest value of each dimension first. */
  readonly dimensions: Readonly<Record<string, readonly string[]>>;
  /** 2: all pairs of values are tried; 3: all triples. */
  readonly strength: 2 | 3;
  /**
   * Values that are tried more closely, because other clients or money are concerned: with each of them, all pairs of
   * the others.
   */
  readonly closer?: readonly Tuple[];
  /** The reason why this tuple can never be tried, in a sentence. Called with whole tuples only. */
  readonly cannot: (tuple: Tuple) => string | undefined;
  /** The reason why it cannot be tried here: the parts that the profile does not supply. */
  readonly lacks?: (tuple: Tuple, situation: Situation) => string | undefined;
  /**
   * The name under which a tuple shares its plan with others, so that common first steps are made once. On another
   * machine nothing is shared, so that a plan stays cheap.
   */
  readonly together?: (tuple: Tuple) => string | undefined;
  /** `all` has the tuple and those that share its plan. */
  readonly plan: (tuple: Tuple, situation: Situation, all: readonly Tuple[]) => Plan;
}

export function tableProperty(table: Table): Property {
  const { dimensions: _, strength, closer, cannot, lacks, together: __, plan, staging, ...head } = table;
  return {
    ...head,
    table,
    runs: { local: 1, staging },
    plans: (situation) => {
      const bundles = bundlesOf(table, situation);
      if (bundles.length === 0) throw new Blocked(`nothing of it can be tried: ${whyNot(table, situation)}`);
      const planFor = (tuples: readonly Tuple[]): Plan => ({
        ...plan(tuples[0] ?? {}, situation, tuples),
        tuples,
        ...(tuples.length > 1 ? { alone: () => tuples.map((tuple) => planFor([tuple])) } : {}),
      });
      return bundles.map(planFor);
    },
  };
}

/** The same table for a quick run: all pairs, without the closer values. */
export function inPairs(property: Property): Property {
  const { table } = property;
  if (table === undefined) return property;
  const { closer: _, ...rest } = table;
  return tableProperty({ ...rest, strength: 2 });
}

/** The reason that rules out the most combinations. */
function whyNot(table: Table, situation: Situation): string {
  const here = ofProfile(table, coveringOf(table, situation).cannot);
  return here.toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? "no tuple is left";
}

/** The plans to try, smallest first: all of them on this machine, and elsewhere those with the most pairs. */
export function tuplesOf(table: Table, situation?: Situation): Tuple[] {
  const { tuples } = coveringOf(table, situation);
  const all = situation === undefined || isOurs(situation.profile);
  const size = (tuple: Tuple): number => sizeOf(tuple, table);
  return (all ? [...tuples] : tuples.slice(0, table.staging)).sort((one, other) => size(one) - size(other));
}

/** The same, by plan. */
export function bundlesOf(table: Table, situation?: Situation): Tuple[][] {
  const bundles = new Map<string, Tuple[]>();
  for (const tuple of tuplesOf(table, situation)) {
    const name = sharing(table, situation)?.(tuple) ?? tupleText([tuple]);
    bundles.set(name, [...(bundles.get(name) ?? []), tuple]);
  }
  return [...bundles.values()];
}

const sharing = ({ together }: Table, situation: Situation | undefined): Table["together"] =>
  situation === undefined || isOurs(situation.profile) ? together : undefined;

/** The contents of a table: with everything supplied, or with a given profile. */
export function coveringOf(table: Table, situation?: Situation): Covering {
  const known = coverings.get(table) ?? new WeakMap<object, Covering>();
  coverings.set(table, known);
  const where = situation?.market ?? table;
  const found = known.get(where) ?? worked(table, situation);
  known.set(where, found);
  return found;
}

/** A run has one market, and nothing else changes the table. */
const coverings = new WeakMap<Table, WeakMap<object, Covering>>();

/** Reasons that do not depend on a profile, as found while the table was computed. */
const reasonsOf = new WeakMap<Table, Set<string>>();

const ofProfile = (table: Table, cannot: Covering["cannot"]): [reason: string, count: number][] =>
  [...cannot].filter(([reason]) => reasonsOf.get(table)?.has(reason) !== true);

function worked(table: Table, situation: Situation | undefined): Covering {
  const { dimensions, cannot, lacks } = table;
  const never = reasonsOf.get(table) ?? new Set();
  reasonsOf.set(table, never);
  return coveringArray({
    dimensions,
    groups: groupsFor(table),
    cannot: (tuple) => {
      const reason = cannot(tuple);
      if (reason !== undefined) never.add(reason);
      return reason ?? (situation === undefined ? undefined : lacks?.(tuple, situation));
    },
    together: sharing(table, situation),
  });
}

/** How much of a table was tried, for the report. */
export function triedOf(
  table: Table,
  situation: Situation,
  ran: readonly Plan[],
): Readonly<Record<string, string>> {
  const tuples = ran.flatMap((one) => one.tuples ?? []);
  const { tried, possible, cannot } = extentOf(table, tuples, situation);
  const here = ofProfile(table, cannot).map(([reason, count]) => `${count}: ${reason}`);
  return {
    [wordOf(table)]: `${tried} of ${possible} that can be tried here`,
    ...(here.length === 0 ? {} : { "cannot be tried here": here.join("; ") }),
  };
}

export interface Extent {
  /** The number of all combinations, of those that can be tried, and of those that these tuples have. */
  readonly all: number;
  readonly possible: number;
  readonly tried: number;
  readonly cannot: Covering["cannot"];
}

export function extentOf(table: Table, tuples: readonly Tuple[], situation?: Situation): Extent {
  const { all, cannot } = coveringOf(table, situation);
  const ruledOut = [...cannot.values()].reduce((sum, count) => sum + count, 0);
  const tried = combinationsIn(tuples, { dimensions: table.dimensions, groups: groupsFor(table) });
  return { all, possible: all - ruledOut, tried, cannot };
}

export function wordOf({ strength, closer }: Table): string {
  if (closer !== undefined) return "combinations";
  return strength === 2 ? "pairs" : "triples";
}

interface Wanted {
  readonly credentials?: readonly string[];
  readonly operations?: readonly string[];
  readonly capabilities?: readonly string[];
  readonly facts?: readonly string[];
  /** Words of `$product`: tradable, second … */
  readonly products?: readonly string[];
}

/** The first of these that the profile does not supply, as a reason. */
export function missing({ profile, market }: Situation, wanted: Wanted): string | undefined {
  const { credentials = [], operations = [], capabilities = [], facts = [], products = [] } = wanted;
  const role = credentials.find((name) => profile.credentials[name] === undefined);
  if (role !== undefined) return `there is no credential "${role}"`;
  const operation = operations.find((name) =>
    name === "readOrder" ? !readable(profile, "trades") : typeof profile.operations[name] !== "object",
  );
  if (operation !== undefined) return `${operation} is not mapped`;
  const capability = capabilities.find((name) => presenceOf(profile, name) !== "present");
  if (capability !== undefined) return `${capability} is ${presenceOf(profile, capability)}`;
  const fact = facts.find((name) => profile.facts[name] === undefined);
  if (fact !== undefined) return `the profile does not state the fact ${fact}`;
  const product = products.find((word) => !isKnown(market, word));
  return product === undefined ? undefined : `no ${product} product is known`;
}

function isKnown(market: Situation["market"], word: string): boolean {
  try {
    market.product(word);
    return true;
  } catch (error) {
    // A profile alone may leave the products to the target.
    if (error instanceof NotSeenYet) return true;
    if (error instanceof Blocked) return false;
    throw error;
  }
}

function groupsFor({ dimensions, strength, closer = [] }: Table): Group[] {
  const names = Object.keys(dimensions);
  return [
    ...groupsOf(names, strength).map((group) => ({ names: group })),
    ...closer.flatMap((given) =>
      groupsOf(
        names.filter((name) => given[name] === undefined),
        2,
      ).map((group) => ({ names: group, given })),
    ),
  ];
}

/** The plainest tuple is the smallest one, so that the first failure is the plainest. */
function sizeOf(tuple: Tuple, { dimensions }: Table): number {
  return Object.entries(dimensions).reduce(
    (sum, [name, values]) => sum + values.indexOf(tuple[name] ?? ""),
    0,
  );
}
