/** One value of each dimension, by the dimension's name. */
export type Tuple = Readonly<Record<string, string>>;

/** Dimensions of which every combination of values is wanted. If `given` is set, only in tuples with those values. */
export interface Group {
  readonly names: readonly string[];
  readonly given?: Tuple;
}

export interface Grid {
  /** In a natural order, with the plainest value of each dimension first. */
  readonly dimensions: Readonly<Record<string, readonly string[]>>;
  readonly groups: readonly Group[];
  /** The reason why a whole tuple cannot be tried. A combination cannot be tried if no tuple with it can. */
  readonly cannot: (tuple: Tuple) => string | undefined;
  /** Tuples of one name cost no more than one of them. */
  readonly together?: ((tuple: Tuple) => string | undefined) | undefined;
}

export interface Covering {
  /** Few tuples with every combination that can be tried; those with the most new combinations come first. */
  readonly tuples: readonly Tuple[];
  /** Combinations that are wanted, whether they can be tried or not. */
  readonly all: number;
  /** Reason to the number of combinations that it rules out. */
  readonly cannot: ReadonlyMap<string, number>;
}

/** Larger tables are not enumerated tuple by tuple. */
const mostTuples = 500_000;

/**
 * A covering array, built greedily and without chance: of the tuples with the first missing combination, the one with
 * the most other missing combinations. Tuples that share a plan count as one. Every tuple is examined, so the
 * combinations without a tuple are known for certain.
 */
export function coveringArray({ dimensions, groups, cannot, together }: Grid): Covering {
  const counter = new Combinations(dimensions, groups);
  const bundles = new Map<string | number, Numbered[]>();
  const missing = new Uint8Array(counter.size);
  const ruledOut = new Map<string, Uint32Array>();
  counter.forEach((tuple, keys) => {
    const reason = cannot(tuple);
    if (reason !== undefined) {
      const counts = ruledOut.get(reason) ?? new Uint32Array(counter.size);
      ruledOut.set(reason, counts);
      for (const key of keys) counts[key] = (counts[key] ?? 0) + 1;
      return;
    }
    for (const key of keys) missing[key] = 1;
    const numbered = { tuple: { ...tuple }, keys: keys.slice() };
    const name = together?.(tuple) ?? bundles.size;
    const bundle = bundles.get(name);
    if (bundle === undefined) bundles.set(name, [numbered]);
    else bundle.push(numbered);
  });
  const possible = [...bundles.values()];
  missing[notInGroup] = 0;
  const reasons = reasonsFor(missing, ruledOut);
  const tuples: Tuple[] = [];
  for (let key = missing.indexOf(1); key >= 0; key = missing.indexOf(1, key)) {
    const best = richest(possible, counter.groupOf(key), key, missing);
    if (best === undefined) break;
    for (const { tuple, keys } of best) if (take(keys, missing) > 0) tuples.push(tuple);
  }
  return { tuples, all: counter.size - 1, cannot: reasons };
}

/** Of the bundles with that combination, the first of those with the most missing combinations. */
function richest(
  possible: readonly (readonly Numbered[])[],
  group: number,
  key: number,
  missing: Uint8Array,
): readonly Numbered[] | undefined {
  let best: readonly Numbered[] | undefined;
  let most = 0;
  for (const bundle of possible) {
    if (!bundle.some(({ keys }) => keys[group] === key)) continue;
    const gain = gainOf(bundle, missing);
    if (gain > most) [best, most] = [bundle, gain];
  }
  return best;
}

/** Combinations that several tuples have are counted once. */
function gainOf(bundle: readonly Numbered[], missing: Uint8Array): number {
  const [only] = bundle;
  if (only !== undefined && bundle.length === 1) return missingOf(only.keys, missing);
  return new Set(bundle.flatMap(({ keys }) => Array.from(keys).filter((key) => missing[key] === 1))).size;
}

function missingOf(keys: Uint32Array, missing: Uint8Array): number {
  let sum = 0;
  for (const key of keys) sum += missing[key] ?? 0;
  return sum;
}

/** Counts the missing combinations and marks them as covered. */
function take(keys: Uint32Array, missing: Uint8Array): number {
  let taken = 0;
  for (const key of keys) {
    taken += missing[key] ?? 0;
    missing[key] = 0;
  }
  return taken;
}

/** The number of wanted combinations that these tuples have. */
export function combinationsIn(
  tuples: readonly Tuple[],
  { dimensions, groups }: Pick<Grid, "dimensions" | "groups">,
): number {
  const counter = new Combinations(dimensions, groups);
  const keys = new Set(tuples.flatMap((tuple) => [...counter.keysOf(tuple)]));
  keys.delete(notInGroup);
  return keys.size;
}

/**
 * `type=LIMIT side=BUY`, as in reports and counterexamples; several tuples that are tried together differ as in
 * `side=BUY|SELL`.
 */
export function tupleText([first = {}, ...others]: readonly Tuple[]): string {
  return Object.keys(first)
    .map((name) => {
      const value = [...new Set([first, ...others].map((one) => one[name]))].join("|");
      return `${name}=${value.includes(" ") ? `"${value}"` : value}`;
    })
    .join(" ");
}

/** All sets of that many names. */
export function groupsOf(names: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return names.flatMap((name, index) =>
    groupsOf(names.slice(index + 1), size - 1).map((others) => [name, ...others]),
  );
}

/** The value for a group that does not apply to a tuple. */
const notInGroup = 0;

interface Numbered {
  readonly tuple: Tuple;
  /** For each group, in their order, the number of the combination that the tuple has. */
  readonly keys: Uint32Array;
}

/** Numbers every combination of values of each group. */
class Combinations {
  readonly size: number;
  readonly #names: readonly string[];
  readonly #values: readonly (readonly string[])[];
  /** The number of the first combination of each group. */
  readonly #from: readonly number[];
  /** For each dimension, the groups that have it, and its weight in each: plain arrays, read millions of times. */
  readonly #groupsWith: readonly { readonly groups: number[]; readonly weights: number[] }[];
  /** Groups that apply to tuples with these values only. */
  readonly #limited: { readonly group: number; readonly given: readonly (readonly [number, number])[] }[] =
    [];

  constructor(dimensions: Grid["dimensions"], groups: Grid["groups"]) {
    this.#names = Object.keys(dimensions);
    this.#values = Object.values(dimensions);
    this.#groupsWith = this.#names.map(() => ({ groups: [], weights: [] }));
    let size = notInGroup + 1;
    this.#from = groups.map(({ names, given = {} }, group) => {
      const from = size;
      let weight = 1;
      for (const name of names.toReversed()) {
        this.#groupsWith[this.#names.indexOf(name)]?.groups.push(group);
        this.#groupsWith[this.#names.indexOf(name)]?.weights.push(weight);
        weight *= dimensions[name]?.length ?? 0;
      }
      size += weight;
      const fixed = Object.entries(given).map(
        ([name, value]) => [this.#names.indexOf(name), dimensions[name]?.indexOf(value) ?? -1] as const,
      );
      if (fixed.length > 0) this.#limited.push({ group, given: fixed });
      return from;
    });
    this.size = size;
  }

  groupOf(key: number): number {
    return this.#from.findLastIndex((from) => from <= key);
  }

  keysOf(tuple: Tuple): Uint32Array {
    const chosen = this.#names.map((name, at) => this.#values[at]?.indexOf(tuple[name] ?? "") ?? -1);
    const keys = Uint32Array.from(this.#from);
    for (const [at, value] of chosen.entries()) this.#move(keys, at, value);
    return this.#limit(keys, chosen);
  }

  /** All tuples, the last dimension changing fastest. Tuple and keys are the same objects in each call. */
  forEach(look: (tuple: Tuple, keys: Uint32Array) => void): void {
    const size = this.#values.reduce((product, values) => product * values.length, 1);
    if (size > mostTuples)
      throw new Error(`${size} tuples are too many for a table: the limit is ${mostTuples}`);
    const chosen = this.#values.map(() => 0);
    const unlimited = Uint32Array.from(this.#from);
    const keys = new Uint32Array(unlimited.length);
    const tuple: Record<string, string> = {};
    for (const [at, name] of this.#names.entries()) tuple[name] = this.#values[at]?.[0] ?? "";
    for (let number = 0; number < size; number += 1) {
      keys.set(unlimited);
      look(tuple, this.#limit(keys, chosen));
      for (let at = chosen.length - 1; at >= 0; at -= 1) {
        const values = this.#values[at] ?? [];
        const before = chosen[at] ?? 0;
        const next = (before + 1) % values.length;
        chosen[at] = next;
        tuple[this.#names[at] ?? ""] = values[next] ?? "";
        this.#move(unlimited, at, next - before);
        if (next > 0) break;
      }
    }
  }

  /** Only the groups that have the dimension get other keys. */
  #move(keys: Uint32Array, at: number, by: number): void {
    const { groups = [], weights = [] } = this.#groupsWith[at] ?? {};
    for (let index = 0; index < groups.length; index += 1) {
      const group = groups[index] ?? 0;
      keys[group] = (keys[group] ?? 0) + (weights[index] ?? 0) * by;
    }
  }

  #limit(keys: Uint32Array, chosen: readonly number[]): Uint32Array {
    for (const { group, given } of this.#limited)
      if (given.some(([at, value]) => chosen[at] !== value)) keys[group] = notInGroup;
    return keys;
  }
}

/** Each combination without a tuple is counted under the reason that most of its tuples give. */
function reasonsFor(possible: Uint8Array, ruledOut: ReadonlyMap<string, Uint32Array>): Map<string, number> {
  const counts = new Map<string, number>();
  for (let key = notInGroup + 1; key < possible.length; key += 1) {
    if (possible[key] === 1) continue;
    let [reason, most] = ["", 0];
    for (const [given, tuples] of ruledOut)
      if ((tuples[key] ?? 0) > most) [reason, most] = [given, tuples[key] ?? 0];
    if (most > 0) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}
