import fc from "fast-check";
import type { Call, Expectation, WrittenStep } from "../model/language.ts";
import type { ValueMap } from "../model/value.ts";
import type { Plan, Property, Situation } from "./property.ts";
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
 * P-19: a client that lost the answer and sends again gets the existing order, or a new one if there was none.
 * Clauses: PLC-10, PLC-16.
 * Generator: a resting shape, and the way in which the answer was lost: the client closed the connection after the last
 * byte of the request, or before it; or, if the target can do so on request (`fault.inject`), the order was created and
 * the target closed the connection. Up to three further retries.
 * Oracle: the first answered retry is NEW_ORDER or a replay, every further one a replay of the same order, and at most
 * one order with the key is open.
 * Shrinks to one connection closed after the whole request, one retry and a LIMIT BUY. Safety: one order rests.
 */
export const lostAnswer: Property = {
  id: "P-19",
  title: "A retry after a lost answer creates no second order",
  spec: ["PLC-10", "PLC-16"],
  assumes: ["AS-14"],
  safety: "rests",
  runs: { local: 9, staging: 3 },
  cost: { requests: 6, orders: 1 },
  durable: true,
  plans: (situation) =>
    fc
      .record({
        loss: fc.constantFrom(...lossesOf(situation)),
        shape: restingShapes(situation),
        further: fc.integer({ min: 0, max: 3 }),
      })
      .map(planOf),
};

type Loss = (body: ValueMap) => WrittenStep[];

const hangUp =
  (abandon: NonNullable<Call["abandon"]>): Loss =>
  (body) => [call("lost", "placeOrder", { body, abandon })];

/** Certainly made, and certainly not answered. */
const hungUpOn: Loss = (body) => [
  { inject: { id: "no-answer", route: "POST /order", count: 1, fault: { kind: "dropConnectionAfter" } } },
  call("lost", "placeOrder", { body }),
];

function lossesOf({ profile }: Situation): Loss[] {
  const can = profile.capabilities["fault.inject"] === "present" && profile.control !== undefined;
  return [hangUp("sent"), hangUp("unsent"), ...(can ? [hungUpOn] : [])];
}

interface Lost {
  readonly loss: Loss;
  readonly shape: Shape;
  readonly further: number;
}

function planOf({ loss, shape, further }: Lost): Plan {
  const body = orderOf(shape, "a");
  const retries = Array.from({ length: further }, (_, index) =>
    place(`again${index + 1}`, body, { spec: ["PLC-10"], expect: { $macro: "replayed(order)" } }),
  );
  return {
    vars: market,
    steps: [
      ...loss(body),
      place("retry", body, {
        expect: { $anyOf: [answered, { $macro: "rejected" }, { status: { $in: [409, 425] } }] },
        capture: { order: "#/data/order/id" },
      }),
      taken("order"),
      ...retries,
      openWith("open", "a", { lte: 1 }, ["PLC-10", "PLC-16"]),
    ],
  };
}

const answered: Expectation = {
  status: 200,
  body: { data: { type: { $in: ["NEW_ORDER", "DUPLICATE_REPLAY"] }, order: { clientOrderId: key("a") } } },
};
