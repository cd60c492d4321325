import fc from "fast-check";
import type { Plan, Property } from "./property.ts";
import {
  call,
  key,
  market,
  openWith,
  orderOf,
  place,
  restingShapes,
  type Shape,
  taken,
} from "./templates.ts";

/**
 * P-19: a client that lost the answer and asks again gets the order that was made, or the first one.
 * Clauses: PLC-10, PLC-16.
 * Generator: a resting shape, and where the client hung up: after the last byte of the request, or before it; one to
 * three retries.
 * Oracle: the first answered retry is NEW_ORDER or a replay, every further one a replay of the same order, and at most
 * one order with the key is open.
 * Shrinks to one hang-up after the whole request, one retry and a LIMIT BUY. Safety: one order rests.
 */
export const lostAnswer: Property = {
  id: "P-19",
  title: "A retry after a lost answer makes no second order",
  spec: ["PLC-10", "PLC-16"],
  assumes: ["AS-14"],
  safety: "rests",
  runs: { local: 40, staging: 3 },
  cost: { requests: 6, orders: 1 },
  durable: true,
  plans: () =>
    fc
      .record({
        abandon: fc.constantFrom("sent", "unsent"),
        shape: fc.constantFrom(...restingShapes),
        retries: fc.integer({ min: 1, max: 3 }),
      })
      .map(planOf),
};

function planOf({ abandon, shape, retries }: { abandon: string; shape: Shape; retries: number }): Plan {
  const body = orderOf(shape, "a");
  const further = Array.from({ length: retries }, (_, index) =>
    place(`again${index + 1}`, body, { spec: ["PLC-10"], expect: { $macro: "replayed(order)" } }),
  );
  return {
    vars: market,
    steps: [
      call("lost", "placeOrder", { body, abandon }),
      place("retry", body, {
        expect: { $anyOf: [answered, { $macro: "rejected" }, { status: { $in: [409, 425] } }] },
        capture: { order: "#/data/order/id" },
      }),
      taken("order"),
      ...further,
      openWith("open", "a", { lte: 1 }, ["PLC-16"]),
    ],
  };
}

const answered = {
  status: 200,
  body: { data: { type: { $in: ["NEW_ORDER", "DUPLICATE_REPLAY"] }, order: { clientOrderId: key("a") } } },
};
