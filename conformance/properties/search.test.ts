import { describe, expect, it } from "vitest";
import type { Task } from "../runner/prepare/schedule.ts";
import { bareSession } from "../testing/bare-session.ts";
import type { Phase } from "./phase.ts";
import type { Plan, Property } from "./property.ts";
import { Search } from "./search.ts";
import { type Table, tableProperty } from "./table.ts";

const products = Array.from({ length: 30 }, (_, index) => `p${index}`);
const planOf = (product: string): Plan => ({ vars: { product }, steps: [{ call: { op: product } }] });

const table: Table = {
  id: "P-99",
  title: "An order is an order",
  spec: [],
  safety: "read",
  cost: { requests: 1, orders: 0 },
  staging: 3,
  dimensions: { product: products },
  strength: 2,
  cannot: () => undefined,
  plan: ({ product = "" }) => planOf(product),
};

const task: Task = {
  id: "P-99",
  safety: "read",
  isolation: "shared",
  alone: false,
  orders: false,
  clients: new Set(),
  products: undefined,
};

/** Tries the plans one after the other; those of which this is true could not run. */
async function tried(property: Property, isBlocked: (index: number) => boolean): Promise<[number, number]> {
  const session = bareSession(9, "staging");
  let count = 0;
  const phase = {
    session,
    market: {},
    ours: false,
    width: 1,
    taskOf: () => task,
    beside: (_: Task, work: () => Promise<unknown>) => work(),
    obstacle: () => undefined,
    try: async (_: Property, plan: Plan) => {
      count += 1;
      const outcome = isBlocked(count) ? "blocked" : "passed";
      return { plan, exchanges: [], result: { outcome, reason: "nothing was filled" } };
    },
    // as: the part of a phase that a search uses.
  } as unknown as Phase;
  const { runs } = await new Search(property, phase, 1, undefined).run();
  return [count, runs];
}

describe("the plans of a table", () => {
  const property: Property = {
    ...tableProperty(table),
    plans: () => products.map(planOf),
  };

  it("are given up when none of the first could run", async () => {
    expect(await tried(property, () => true)).toEqual([6, 0]);
  });

  it("are all tried when one of them could", async () => {
    expect(await tried(property, (index) => index !== 6)).toEqual([30, 1]);
  });

  it("are not given up where each is about something else", async () => {
    const { table: _, ...other } = property;
    expect(await tried(other, () => true)).toEqual([30, 0]);
  });
});
