import { describe, expect, it } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { profileOf } from "../run-input.ts";
import { Market } from "../runner/prepare/market.ts";
import { allProperties } from "./all-properties.ts";
import { coveringArray, groupsOf, type Tuple } from "./covering-array.ts";
import type { Plan, Situation } from "./property.ts";
import {
  bundlesOf,
  coveringOf,
  inPairs,
  missing,
  type Table,
  tableProperty,
  triedOf,
  tuplesOf,
} from "./table.ts";

/** Everything there is, worked out the slow way: which combinations some tuple has that can be tried. */
function combinations(table: Table): Set<string> {
  const tuples = Object.entries(table.dimensions).reduce<Tuple[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
  return new Set(tuples.filter((one) => table.cannot(one) === undefined).flatMap(namesFor(table)));
}

function namesFor({ dimensions, strength, closer = [] }: Table): (tuple: Tuple) => string[] {
  const all = Object.keys(dimensions);
  const groups = groupsOf(all, strength);
  const closely = closer.map((given) => ({
    given: Object.entries(given),
    groups: groupsOf(
      all.filter((name) => given[name] === undefined),
      2,
    ),
  }));
  return (tuple) => {
    const named = (group: readonly string[]): string =>
      group.map((name) => `${name}=${tuple[name] ?? ""}`).join(" ");
    const extra = closely
      .filter(({ given }) => given.every(([name, value]) => tuple[name] === value))
      .flatMap(({ given, groups: pairs }) =>
        pairs.map((pair) => `${named(given.map(([name]) => name))} ${named(pair)}`),
      );
    return [...groups.map(named), ...extra];
  };
}

const bodies: Table = {
  id: "P-99",
  title: "An order is an order",
  spec: ["PLC-02"],
  safety: "rests",
  cost: { requests: 1, orders: 1 },
  staging: 3,
  dimensions: {
    type: ["LIMIT", "MARKET", "STOP_LIMIT"],
    side: ["BUY", "SELL"],
    product: ["tradable", "second"],
    state: ["new", "resting", "filled"],
    who: ["trader", "otherClient"],
  },
  strength: 2,
  cannot: ({ type, state }) =>
    type === "MARKET" && state === "resting" ? "a MARKET order never rests" : undefined,
  lacks: ({ who, product }, situation) =>
    missing(situation, { credentials: [String(who)], products: [String(product)] }),
  plan: ({ side = "" }) => ({ steps: [{ call: { op: "placeOrder", body: { side } } }] }),
};

async function situation(more: object = {}): Promise<Situation> {
  const target = "http://127.0.0.1:9/api/v1/trading";
  const profile = await profileOf({ target, keyId: "key", secret: "secret-of-the-tests" });
  return { profile: { ...profile, ...more }, market: Market.unseen(profile) };
}

describe("a covering array", () => {
  it.each([2, 3] as const)("has every combination of %i that can be tried, in fewer tuples", (strength) => {
    const table = { ...bodies, strength };
    const tuples = tuplesOf(table);
    expect(new Set(tuples.flatMap(namesFor(table)))).toEqual(combinations(table));
    expect(tuples.every((one) => table.cannot(one) === undefined)).toBe(true);
    expect(tuples.length).toBeLessThan(strength === 2 ? 14 : 36);
  });

  it("looks more closely at some values, and no further", () => {
    const table = { ...bodies, closer: [{ who: "otherClient" }] };
    const tuples = tuplesOf(table);
    expect(new Set(tuples.flatMap(namesFor(table)))).toEqual(combinations(table));
    expect(tuples.length).toBeLessThan(tuplesOf({ ...bodies, strength: 3 }).length);
  });

  it("has every pair and nothing closer where the level is below full", () => {
    const deep = tableProperty({ ...bodies, strength: 3, closer: [{ who: "otherClient", state: "new" }] });
    const { table } = inPairs(deep);
    expect(table?.closer).toBeUndefined();
    expect(tuplesOf(table ?? bodies)).toEqual(tuplesOf(bodies));
    expect(tuplesOf(bodies).length).toBeLessThan(tuplesOf(deep.table ?? bodies).length);
    const drawn = allProperties.find((one) => one.table === undefined);
    expect(drawn && inPairs(drawn)).toBe(drawn);
  });

  it("has every combination in fewer plans when plans try several things, and in as many elsewhere", async () => {
    const together = ({ type, side, product, state }: Tuple): string =>
      JSON.stringify({ type, side, product, state });
    const table = { ...bodies, lacks: () => undefined, strength: 3 as const };
    const bundles = bundlesOf({ ...table, together });
    expect(new Set(bundles.flat().flatMap(namesFor(table)))).toEqual(combinations(table));
    expect(bundles.length).toBeLessThan(tuplesOf(table).length);
    expect(bundles.every((one) => new Set(one.map(together)).size === 1)).toBe(true);
    const plans = tableProperty({ ...table, together }).plans(await situation()) as readonly Plan[];
    expect(plans.map(({ tuples }) => tuples)).toEqual(bundles);
    const [several] = plans.filter(({ tuples = [] }) => tuples.length > 1);
    expect(several?.alone?.().map(({ tuples }) => tuples)).toEqual(several?.tuples?.map((one) => [one]));
    const there = await situation({ kind: "staging" });
    expect(bundlesOf({ ...table, together }, there)).toEqual(tuplesOf(table, there).map((one) => [one]));
  });

  it("is the same every time, the plainest tuple first", () => {
    const tuples = tuplesOf(bodies);
    expect(tuplesOf(bodies)).toEqual(tuples);
    expect(tuples[0]).toEqual({
      type: "LIMIT",
      side: "BUY",
      product: "tradable",
      state: "new",
      who: "trader",
    });
  });

  it("lists combinations without a tuple, and the reason; combinations that only some tuples rule out are tried with others", () => {
    const { all, cannot } = coveringOf(bodies);
    expect(all).toBe(6 + 6 + 9 + 6 + 4 + 6 + 4 + 6 + 4 + 6);
    expect([...cannot]).toEqual([["a MARKET order never rests", 1]]);
  });

  it("names a rule if only two rules together rule out a combination", () => {
    const { tuples, cannot } = coveringArray({
      dimensions: { a: ["1", "2"], b: ["1", "2"], c: ["1", "2"] },
      groups: [{ names: ["a", "b"] }],
      cannot: ({ a, b, c }) =>
        a === "2" && c === "1" ? "not with one" : b === "2" && c === "2" ? "not with two" : undefined,
    });
    expect(tuples.map(({ a, b }) => `${String(a)}${String(b)}`).sort()).toEqual(["11", "12", "21"]);
    expect([...cannot.values()]).toEqual([1]);
  });

  it("refuses a table that is too large to be gone through", () => {
    const values = Array.from({ length: 100 }, (_, index) => String(index));
    const grid = { dimensions: { a: values, b: values, c: values }, groups: [], cannot: () => undefined };
    expect(() => coveringArray(grid)).toThrow("1000000 tuples are too many");
  });
});

describe("a table at a target", () => {
  it("leaves out values that the profile does not supply, with the reason", async () => {
    const here = await situation();
    const tuples = tuplesOf(bodies, here);
    expect(new Set(tuples.map(({ who }) => who))).toEqual(new Set(["trader"]));
    const plans = tableProperty(bodies).plans(here);
    expect(plans).toHaveLength(tuples.length);
    expect(triedOf(bodies, here, [{ steps: [], tuples }])).toEqual({
      pairs: "46 of 46 that can be tried here",
      "cannot be tried here": '10: there is no credential "otherClient"',
    });
  });

  it("is blocked where nothing of it can be tried, for the reason that rules out most", async () => {
    const nobody = { ...bodies, lacks: () => "there is nobody" };
    const here = await situation();
    expect(() => tableProperty(nobody).plans(here)).toThrow("nothing of it can be tried: there is nobody");
  });

  it("takes the plans with the most pairs on another machine, and reports their share", async () => {
    const there = await situation({ kind: "staging" });
    const tuples = tuplesOf(bodies, there);
    expect(tuples).toHaveLength(3);
    const { pairs } = triedOf(bodies, there, [{ steps: [], tuples }]);
    expect(pairs).toMatch(/^2\d of 46 that can be tried here$/);
  });
});

describe("the tables of the suite", () => {
  const tables = allProperties.flatMap(({ table }) => table ?? []);

  it("try every combination that can be tried, each value in some plan", () => {
    for (const table of sampled(7, tables)) {
      const tuples = tuplesOf(table);
      expect(new Set(tuples.flatMap(namesFor(table))), table.id).toEqual(combinations(table));
      for (const [name, values] of Object.entries(table.dimensions))
        expect(new Set(tuples.map((one) => one[name])), `${table.id} ${name}`).toEqual(new Set(values));
    }
  });
});
