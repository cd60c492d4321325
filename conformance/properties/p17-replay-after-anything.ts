import fc from "fast-check";
import type { WrittenStep } from "../model/language.ts";
import { repeat } from "./placements.ts";
import type { Plan, Property, Situation } from "./property.ts";
import { call, firstPlacement, market, orderOf, place, shapes } from "./templates.ts";

/**
 * P-17: a repeat is a replay after anything that happens between a placement and its repeat.
 * Clauses: PLC-15, PLC-17 (after the order has ended), PLC-34 (a refused request in between has no effect).
 * Generator: up to four of: another order, reads, an invalid and an unauthenticated request with the same key, a new
 * connection, and the cancel of the order where the profile maps it.
 * Oracle: the last placement is a replay of the first.
 * Shrinks to nothing in between, or to one step. Safety: orders rest far from the market.
 */
export const replayAfterAnything: Property = {
  id: "P-17",
  title: "A repeat is a replay after any other events",
  spec: ["PLC-15", "PLC-17", "PLC-34"],
  safety: "rests",
  runs: { local: 12, staging: 2 },
  cost: { requests: 6, orders: 3 },
  durable: true,
  plans: (situation) => fc.array(filler(situation), { maxLength: 4 }).map(planOf),
};

type Filler = "reads" | "invalid" | "unsigned" | "fresh" | "other" | "cancel";

function filler({ profile }: Situation): fc.Arbitrary<Filler> {
  const cancel: Filler[] = typeof profile.operations["cancelOrder"] === "object" ? ["cancel"] : [];
  return fc.constantFrom<Filler[]>("reads", "invalid", "unsigned", "fresh", "other", ...cancel);
}

const first = orderOf(shapes.limitBuy, "a");

function planOf(fillers: readonly Filler[]): Plan {
  return {
    vars: market,
    steps: [
      ...firstPlacement("original", first, "order"),
      ...fillers.map((one, index) => stepOf(one, `between${index + 1}`, index)),
      repeat("repeated", first, "order", first, fillers.includes("cancel") ? "PLC-17" : "PLC-15"),
    ],
  };
}

function stepOf(filler: Filler, id: string, index: number): WrittenStep {
  switch (filler) {
    case "reads":
      return call(id, "openOrders");
    case "fresh":
      return call(id, "products", { pool: "fresh" });
    case "invalid":
      return place(id, orderOf(shapes.limitBuy, "a", { side: "NEITHER" }));
    case "unsigned":
      return call(id, "placeOrder", { as: "anonymous", body: first });
    case "other":
      return place(id, orderOf(shapes.limitBuy, `other${index}`));
    case "cancel":
      return call(id, "cancelOrder", { params: { id: "${order}" } });
    default:
      return filler satisfies never;
  }
}
