import { expect, it } from "vitest";
import type { Exchange } from "../model/exchange.ts";
import { JsonObject } from "../model/json.ts";
import type { StreamPlan } from "../model/stream.ts";
import { EndedOrders } from "./ended-orders.ts";
import { readJsonText } from "./lossless-json.ts";
import { OrderMemory } from "./order-memory.ts";
import type { CitedDifference } from "./order-relations.ts";
import { Placements } from "./placements.ts";
import { checkMessage, toldOrders } from "./stream-ambient.ts";
import { eventOf } from "./stream-event.ts";
import { StreamNumbers } from "./stream-numbers.ts";

/** Orders in messages of the stream, compared with the answers to requests. */
const plan: StreamPlan = {
  connections: 1,
  message: { type: "#/t", sequence: "none", sequenceScope: "connection" },
  channels: {},
  events: { order: { when: { t: "order" }, partial: false, fields: { order: "#/order" } } },
};
const key = "3b241101-e2bb-4255-8caf-4136c566a962";
const order = {
  id: "order-1",
  clientOrderId: key,
  productId: "BTC-USD",
  side: "BUY",
  type: "LIMIT",
  status: "FILLED",
  synced: true,
  baseQuantity: "2",
  limitPrice: "10",
  filledQuantity: "2",
  filledValue: "20",
  averageFilledPrice: "10",
};

function json(value: unknown) {
  const reading = readJsonText(JSON.stringify(value));
  if (!reading.ok) throw new Error(reading.problem);
  return reading.json;
}

const asking = (role: string, method: string, operation?: string, body: object | "" = "") => ({
  method,
  path: "/order",
  headers: [],
  body: Buffer.from(body === "" ? "" : JSON.stringify(body)),
  role,
  ...(operation === undefined ? {} : { operation }),
});

function message(shown: object, role = "A", at = 0): Exchange {
  const said = json({ t: "order", order: { ...order, ...shown } });
  const stream = { connection: "main", event: eventOf(said, plan), body: new Uint8Array() };
  return {
    request: asking(role, "GET"),
    transport: "message",
    json: said,
    stream,
    startedAt: at,
    endedAt: at,
  };
}

function answer(operation: string, shown: object, at = 1, status = 200): Exchange {
  const isPlaced = operation === "placeOrder";
  const seen = { ...order, ...shown };
  const body = isPlaced ? { client_order_id: key, side: "BUY" } : "";
  return {
    request: asking("A", isPlaced ? "POST" : "GET", operation, body),
    transport: "response",
    reply: { status, headers: [], body: new Uint8Array() },
    json: json({ data: isPlaced ? { type: "NEW_ORDER", order: seen } : [seen] }),
    startedAt: at,
    endedAt: at,
  };
}

/** Each role is a client of its own. Every placement has left before the first message came. */
function said(...exchanges: readonly Exchange[]): string[] {
  const [memory, ended, placements] = [new OrderMemory(), new EndedOrders(), new Placements()];
  const numbers = new StreamNumbers(plan.message);
  const found: CitedDifference[] = [];
  for (const { request } of exchanges.filter((one) => one.request.operation === "placeOrder"))
    placements.sent(request, [key]);
  for (const exchange of exchanges) {
    const situation = {
      client: exchange.request.role,
      underWay: (id: string) => placements.isUnderWay(id),
    };
    if (exchange.stream === undefined) {
      found.push(...memory.read(exchange, situation), ...ended.read(exchange));
      placements.answered(exchange.request);
      continue;
    }
    const orders = toldOrders(exchange);
    const shown = checkMessage(exchange, plan, numbers).differences;
    found.push(...shown.filter(({ actual }) => actual !== "(missing)"));
    const judge = memory.hear(orders, exchange, situation);
    placements.afterwards(() => found.push(...judge(), ...ended.hear(orders, exchange)));
  }
  return found.map(({ clause, pointer }) => `${clause} ${pointer.split("/").at(-1)}`);
}

const placed = answer("placeOrder", { status: "OPEN", synced: false, filledQuantity: "0", filledValue: "0" });

it("finds nothing if the stream and requests agree about an order", () => {
  expect(said(placed, message({}), answer("readOrder", {}), message({}))).toEqual([]);
  expect(said(message({}), placed, answer("readOrder", {}))).toEqual([]);
  expect(toldOrders(message({})).every((one) => one instanceof JsonObject)).toBe(true);
});

it("charges an order that another client hears of, before its request is answered or after", () => {
  expect(said(placed, message({}, "B"))).toEqual(["EVT-09 order"]);
  expect(said(message({}, "B"), placed)).toEqual(["EVT-09 order"]);
});

it("charges another id, other terms and a refused order", () => {
  const renamed = message({ id: "exchange-1" });
  expect(said(placed, renamed)).toEqual(["ORD-39 id"]);
  expect(said(renamed, placed)).toEqual(["ORD-39 id"]);
  expect(said(placed, message({ limitPrice: "11" }))).toEqual(["EVT-07 limitPrice"]);
  // In either order of arrival, the message is the one that differs from the answers to requests.
  const ofOther = message({ productId: "XBT-USD" });
  expect(said(ofOther, placed, answer("readOrder", {}), ofOther)).toEqual([
    "EVT-07 productId",
    "EVT-07 productId",
  ]);
  expect(said(answer("placeOrder", {}, 1, 400), message({}))).toEqual(["PLC-34 clientOrderId"]);
});

it("charges sums that do not add up, and an end that a read shows otherwise", () => {
  expect(said(message({ filledQuantity: "3", averageFilledPrice: null }))).toEqual(["EVT-07 filledQuantity"]);
  const other = { filledValue: "19", averageFilledPrice: "9.5" };
  const lines = ["EVT-07 filledValue", "EVT-07 averageFilledPrice"];
  expect(said(message(other), answer("readOrder", {}))).toEqual(lines);
  expect(said(answer("readOrder", {}), message(other))).toEqual(lines);
  expect(said(message({ ...other, synced: false }), answer("readOrder", {}))).toEqual([]);
});

it("allows a list of open orders five seconds to drop an ended order", () => {
  const list = (at: number) => answer("openOrders", { status: "OPEN" }, at);
  expect(said(answer("readOrder", {}, 0), list(4999))).toEqual([]);
  expect(said(answer("readOrder", {}, 0), list(5000))).toEqual(["EPT-09 status"]);
  expect(said(answer("readOrder", { status: "OPEN" }, 0), list(5000))).toEqual([]);
});
