import { expect, it } from "vitest";
import type { Exchange } from "../model/exchange.ts";
import type { Expectation } from "../model/language.ts";
import { checkExpectation } from "./expectation.ts";
import { readJsonText } from "./lossless-json.ts";
import { noContext } from "./matching.ts";

const order = {
  id: "order-1",
  clientOrderId: "3b241101-e2bb-4255-8caf-4136c566a962",
  productId: "BTC-USD",
  side: "BUY",
  type: "LIMIT",
  status: "OPEN",
  synced: false,
};
const corrected: Expectation = { $anyOf: [{ $macro: "placed" }, { $macro: "rejected" }] };

const request = { method: "POST", path: "/order", headers: [], body: new Uint8Array(), role: "trader" };
const views = { order: ["#/data/order"], items: [], wallet: {} as never };

function clauses(type: string, shown: object): (string | undefined)[] {
  const body = { statusCode: 200, success: true, data: { type, order: { ...order, ...shown } } };
  const reading = readJsonText(JSON.stringify(body));
  if (!reading.ok) throw new Error(reading.problem);
  const exchange: Exchange = {
    request,
    transport: "response",
    reply: { status: 200, headers: [["content-type", "application/json"]], body: new Uint8Array() },
    json: reading.json,
    startedAt: 0,
    endedAt: 1,
  };
  const observed = { exchange, views, collected: () => undefined, bodyOf: () => undefined };
  return checkExpectation(corrected, observed, noContext).map(({ clause }) => clause);
}

it("charges one of several blocks that fails by a shape alone with that shape", () => {
  expect(clauses("NEW_ORDER", {})).toEqual([]);
  expect(clauses("NEW_ORDER", { createdAt: "yesterday" })).toEqual(["ORD-08"]);
  expect(clauses("NEW_ORDER", { synced: "no" })).toEqual(["ORD-07"]);
});

it("charges the step if no block holds for another reason", () => {
  expect(clauses("DUPLICATE_REPLAY", {})).toEqual([undefined]);
  expect(clauses("DUPLICATE_REPLAY", { createdAt: "yesterday" })).toEqual([undefined]);
});

it("says that no answer came, which is no proof by itself", () => {
  const exchange: Exchange = { request, transport: "closed", startedAt: 0, endedAt: 1 };
  const observed = { exchange, views, collected: () => undefined, bodyOf: () => undefined };
  const anyOf: Expectation = { $anyOf: [{ anywhere: { object: { id: "x" }, times: 0 } }, { status: 409 }] };
  expect(checkExpectation(anyOf, observed, noContext)).toMatchObject([
    { pointer: "transport", actual: "closed" },
  ]);
});
