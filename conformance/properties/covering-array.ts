/** One value of each dimension, by the dimension's name. */
export type Tuple = Readonly<Record<string, string>>;

export interface Grid {
  /** In the order in which a person would name them; of each, the plainest value first. */
  readonly dimensions: Readonly<Record<string, readonly string[]>>;
  /** Sets of dimensions of which every combination of values is wanted. */
  readonly together: readonly (readonly string[])[];
  /** Why a whole tuple cannot be tried. A combination cannot be when no tuple with it can. */
  readonly cannot: (tuple: Tuple) => string | undefined;
}

export interface Covering {
  /** Few tuples with every combination that can be tried; those that bring most come first. */
  readonly tuples: readonly Tuple[];
  /** Combinations that are wanted, whether they can be tried or not. */
  readonly all: number;
  /** Reason to the number of combinations that it rules out. */
  readonly cannot: ReadonlyMap<string, number>;
}

/** Beyond this a table is too large to be gone through tuple by tuple. */
const mostTuples = 500_000;

/**
 * A covering array, made greedily and without chance: of the tuples with the first combination that is still missing, the one
 * with the most others that are missing, too. Every tuple is looked at, so it is certain which combinations no tuple has.
 */
export function coveringArray({ dimensions, together, cannot }: Grid): Covering {
  const counter = new Combinations(dimensions, together);
  const possible: { readonly tuple: Tuple; readonly keys: Uint32Array }[] = [];
  const ruledOut: { readonly reason: string; readonly keys: Uint32Array }[] = [];
  for (const tuple of tuplesOf(dimensions)) {
    const keys = counter.keysOf(tuple);
    const reason = cannot(tuple);
    if (reason === undefined) possible.push({ tuple, keys });
    else ruledOut.push({ reason, keys });
  }
  const missing = new Uint8Array(counter.size);
  for (const { keys } of possible) for (const key of keys) missing[key] = 1;
  const reasons = reasonsFor(missing, ruledOut);
  const tuples: Tuple[] = [];
  for (let key = missing.indexOf(1); key >= 0; key = missing.indexOf(1, key)) {
    const group = counter.groupOf(key);
    let best: (typeof possible)[number] | undefined;
    let most = 0;
    for (const one of possible) {
      if (one.keys[group] !== key) continue;
      const gain = one.keys.reduce((sum, each) => sum + (missing[each] ?? 0), 0);
      if (gain > most) [best, most] = [one, gain];
    }
    if (best === undefined) break;
    for (const each of best.keys) missing[each] = 0;
    tuples.push(best.tuple);
  }
  return { tuples, all: counter.size, cannot: reasons };
}

/** How many of the wanted combinations these tuples have. */
export function combinationsIn(
  tuples: readonly Tuple[],
  { dimensions, together }: Pick<Grid, "dimensions" | "together">,
): number {
  const counter = new Combinations(dimensions, together);
  return new Set(tuples.flatMap((tuple) => [...counter.keysOf(tuple)])).size;
}

/** `type=LIMIT side=BUY`, as reports and counterexamples show it. */
export function tupleText(tuple: Tuple): string {
  return Object.entries(tuple)
    .map(([name, value]) => `${name}=${value.includes(" ") ? `"${value}"` : value}`)
    .join(" ");
}

/** All sets of so many of the names. */
export function groupsOf(names: readonly string[], size: number): string[][] {
  if (size === 0) return [[]];
  return names.flatMap((name, index) =>
    groupsOf(names.slice(index + 1), size - 1).map((others) => [name, ...others]),
  );
}

/** Numbers every combination of values of each set of dimensions. */
class Combinations {
  readonly size: number;
  readonly #groups: readonly { readonly from: number; readonly names: readonly string[] }[];
  readonly #dimensions: Grid["dimensions"];

  constructor(dimensions: Grid["dimensions"], together: Grid["together"]) {
    let size = 0;
    this.#groups = together.map((names) => {
      const from = size;
      size += names.reduce((product, name) => product * (dimensions[name]?.length ?? 0), 1);
      return { from, names };
    });
    this.size = size;
    this.#dimensions = dimensions;
  }

  groupOf(key: number): number {
    return this.#groups.findLastIndex(({ from }) => from <= key);
  }

  /** Of each set of dimensions, in their order, the number of the combination that the tuple has. */
  keysOf(tuple: Tuple): Uint32Array {
    return Uint32Array.from(
      this.#groups,
      ({ from, names }) =>
        names.reduce((key, name) => {
          const values = this.#dimensions[name] ?? [];
          return key * values.length + values.indexOf(tuple[name] ?? "");
        }, 0) + from,
    );
  }
}

function tuplesOf(dimensions: Grid["dimensions"]): Tuple[] {
  const names = Object.entries(dimensions);
  const size = names.reduce((product, [, values]) => product * values.length, 1);
  if (size > mostTuples)
    throw new Error(`${size} tuples are too many for a table: the limit is ${mostTuples}`);
  return names.reduce<Tuple[]>(
    (tuples, [name, values]) =>
      tuples.flatMap((tuple) => values.map((value) => ({ ...tuple, [name]: value }))),
    [{}],
  );
}

/** Each combination that no tuple has is put down to the reason that most of its tuples give. */
function reasonsFor(
  possible: Uint8Array,
  ruledOut: readonly { readonly reason: string; readonly keys: Uint32Array }[],
): Map<string, number> {
  const byKey = new Map<number, Map<string, number>>();
  for (const { reason, keys } of ruledOut)
    for (const key of keys) {
      if (possible[key] === 1) continue;
      const given = byKey.get(key) ?? new Map<string, number>();
      byKey.set(key, given.set(reason, (given.get(reason) ?? 0) + 1));
    }
  const counts = new Map<string, number>();
  for (const given of byKey.values()) {
    const [first] = [...given].toSorted(([, one], [, other]) => other - one);
    if (first !== undefined) counts.set(first[0], (counts.get(first[0]) ?? 0) + 1);
  }
  return counts;
}
