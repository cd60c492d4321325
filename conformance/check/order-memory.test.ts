import { describe, expect, it } from "vitest";
import type { Exchange } from "../model/exchange.ts";
import { checkAmbient } from "./ambient.ts";
import { readJson } from "./lossless-json.ts";
import { OrderMemory } from "./order-memory.ts";

/** The rules of every reply for orders: within one record, compared with their request, and over a run. */
const key = "3b241101-e2bb-4255-8caf-4136c566a962";
const otherKey = "3b241101-e2bb-4255-8caf-4136c566a963";
const asked = {
  side: "SELL",
  type: "STOP_LIMIT",
  base_quantity: "10",
  price: "29000.5",
  stop_price: "30000",
  client_order_id: key,
  product: "BTC-USD",
};
const order = {
  id: "order-1",
  clientOrderId: key,
  productId: "BTC-USD",
  side: "SELL",
  type: "STOP_LIMIT",
  status: "OPEN",
  synced: false,
  baseQuantity: "10.0",
  limitPrice: "29000.50",
  stopPrice: "30000.00",
  quoteValue: "290005",
  userId: "alice",
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T01:00:00+01:00",
};

interface Talk {
  readonly body?: object;
  readonly status?: number;
  readonly data?: unknown;
  readonly client?: string;
  readonly role?: string;
  readonly operation?: string;
  readonly underWay?: boolean;
}

function exchangeOf({ body, status = 200, data, role = "trader", operation }: Talk): Exchange {
  const reply = { statusCode: status, success: status < 300, message: "said", data };
  const bytes = Buffer.from(JSON.stringify(reply));
  const reading = readJson(bytes);
  return {
    request: {
      method: body === undefined ? "GET" : "POST",
      path: "/api/v1/trading/order",
      headers: [],
      body: Buffer.from(body === undefined ? "" : JSON.stringify(body)),
      role,
      operation: operation ?? (body === undefined ? "openOrders" : "placeOrder"),
    },
    transport: "response",
    reply: { status, headers: [["content-type", "application/json"]], body: bytes },
    ...(reading.ok ? { json: reading.json } : {}),
    startedAt: 0,
    endedAt: 1,
  };
}

const said = (talk: Talk): string[] =>
  checkAmbient(exchangeOf(talk), { envelope: true, failureExpected: false }).differences.map(
    ({ clause, pointer }) => `${clause} ${pointer.split("/").at(-1)}`,
  );

const remembered = (...talks: readonly Talk[]): string[] => {
  const memory = new OrderMemory();
  return talks.flatMap((talk) =>
    memory
      .read(exchangeOf(talk), {
        client: talk.client ?? "A",
        underWay: () => talk.underWay === true,
      })
      .map(({ clause, pointer }) => `${clause} ${pointer.split("/").at(-1)}`),
  );
};

const placed = { body: asked, data: { type: "NEW_ORDER", order } };
const replayOf = (shown: object) => ({
  body: asked,
  data: { type: "DUPLICATE_REPLAY", message: "again", order: { ...order, ...shown } },
});
const listing = (...orders: readonly object[]) => ({ data: orders.map((shown) => ({ ...order, ...shown })) });

describe("a new order beside its request", () => {
  it("may spell amounts otherwise and take its time", () => expect(said(placed)).toEqual([]));

  it.each([
    ["ORD-40 clientOrderId", { clientOrderId: otherKey }],
    ["ORD-41 side", { side: "BUY" }],
    ["ORD-42 type", { type: "LIMIT" }],
    ["ORD-43 productId", { productId: "ETH-USD" }],
    ["ORD-44 baseQuantity", { baseQuantity: "1", quoteValue: null }],
    ["ORD-45 limitPrice", { limitPrice: "30000", quoteValue: null }],
    ["ORD-46 stopPrice", { stopPrice: "29000.5" }],
    ["STA-02 status", { status: "CANCELLED" }],
  ])("is charged with %s", (line, shown) => {
    expect(said({ body: asked, data: { type: "NEW_ORDER", order: { ...order, ...shown } } })).toEqual([line]);
  });

  it("is compared only in the fields of its type", () => {
    const marketBuy = { ...asked, side: "BUY", type: "MARKET", base_quantity: "1", quote_value: "25" };
    const bought = { ...order, side: "BUY", type: "MARKET", baseQuantity: "0.0004", limitPrice: "60000" };
    const data = { type: "NEW_ORDER", order: { ...bought, stopPrice: null, quoteValue: "25" } };
    expect(said({ body: marketBuy, data })).toEqual([]);
  });

  it("owes very fine and oddly spelled amounts to the clauses about them", () => {
    const fine = { ...asked, stop_price: "30000.000000001" };
    const odd = { ...asked, stop_price: "31e3" };
    expect(said({ ...placed, body: fine })).toEqual(["REQ-25 stopPrice"]);
    expect(said({ ...placed, body: odd })).toEqual(["REQ-26 stopPrice"]);
  });
});

it("judges an order in a list although its twin was flawless, when a type differs", () => {
  expect(said(listing({ fees: "1" }))).toEqual([]);
  expect(said(listing({ fees: 1 }))).toContain("GEN-04 fees");
});

describe("the sums within an order", () => {
  const filled = {
    status: "FILLED",
    filledQuantity: "0.0004",
    filledValue: "24.00",
    averageFilledPrice: "60000.00",
    totalUserRecieveAmount: "23.94",
  };

  it("hold as far as digits are shown", () => {
    const rounded = {
      ...filled,
      filledQuantity: "0.0003",
      filledValue: "16.67",
      averageFilledPrice: "55555.55",
    };
    expect(said(listing(filled, { ...rounded, totalUserRecieveAmount: null }))).toEqual([]);
    expect(said(listing({ limitPrice: "60000.02", quoteValue: null, ...filled }))).toEqual([]);
    // Rounded to eight digits, but shown with more.
    const zeros = {
      filledQuantity: "3",
      filledValue: "100.000000000000",
      averageFilledPrice: "33.333333330000",
    };
    expect(said(listing({ limitPrice: "1", quoteValue: null, ...zeros }))).toEqual([]);
  });

  it.each([
    ["ORD-47 quoteValue", { quoteValue: "300000" }],
    ["ORD-47 quoteValue", { quoteValue: "290,005.00" }],
    ["ORD-48 updatedAt", { updatedAt: "2025-12-31T23:59:59Z" }],
    ["ORD-53 filledQuantity", { filledQuantity: "10.00000001" }],
    ["ORD-54 averageFilledPrice", { ...filled, averageFilledPrice: "59850.00" }],
    [
      "PLC-31 averageFilledPrice",
      { limitPrice: "60000.02", quoteValue: null, ...filled, filledValue: "24.00000000" },
    ],
    ["ORD-56 totalUserRecieveAmount", { ...filled, totalUserRecieveAmount: "24.06" }],
    ["ORD-56 totalUserRecieveAmount", { ...filled, totalUserRecieveAmount: "0.0004" }],
  ])("are %s", (line, shown) => expect(said(listing(shown))).toEqual([line]));
});

describe("a refused order", () => {
  it("is told why, in a text or several", () => {
    const refusal = exchangeOf({ body: asked, status: 400 });
    const silent = { ...refusal, json: readOf('{"message":[" "]}') };
    const clauses = [refusal, { ...refusal, json: readOf('{"message":["no"]}') }, silent].map(
      (exchange) => checkAmbient(exchange, { envelope: true, failureExpected: false }).differences,
    );
    expect(clauses.map((found) => found.map(({ clause }) => clause))).toEqual([[], [], ["ERR-05"]]);
  });

  it("is nowhere afterwards, and no repeat brings it back", () => {
    const refused = { body: asked, status: 400 };
    expect(remembered(refused, listing({}))).toEqual(["PLC-34 clientOrderId"]);
    expect(remembered(refused, replayOf({}))).toEqual(["PLC-34 clientOrderId"]);
    expect(remembered({ ...refused, status: 401 }, listing({}))).toEqual(["AUTH-39 clientOrderId"]);
    expect(remembered({ ...refused, status: 403 }, listing({}))).toEqual(["CLM-01 clientOrderId"]);
  });

  it("may be corrected, be on its way again, or have been there before", () => {
    const refused = { body: asked, status: 400 };
    expect(remembered(refused, placed, listing({}))).toEqual([]);
    expect(remembered(refused, { ...listing({}), underWay: true })).toEqual([]);
    expect(remembered(placed, { ...refused, status: 401 }, listing({}))).toEqual([]);
    expect(remembered({ body: asked, status: 409 }, listing({}))).toEqual([]);
  });
});

describe("an order over a run", () => {
  const later = { status: "FILLED", synced: true, baseQuantity: "10", externalId: "x", userId: null };

  it("may change its state and its spelling", () => {
    expect(remembered(placed, replayOf(later), listing({ ...later, createdAt: undefined }))).toEqual([]);
  });

  it.each([
    ["ORD-42 type", "PLC-12 type", { type: "LIMIT" }],
    ["ORD-45 limitPrice", "PLC-12 limitPrice", { limitPrice: "29000" }],
    ["ORD-46 stopPrice", "PLC-12 stopPrice", { stopPrice: "29000.5" }],
    ["ORD-59 userId", "PLC-12 userId", { userId: "bob" }],
    ["ORD-49 createdAt", "ORD-49 createdAt", { createdAt: "2026-01-01T05:30:00Z" }],
  ])("keeps what it was: %s in a list, %s in a repeat", (inList, inRepeat, shown) => {
    expect(new Set(remembered(placed, listing(shown)))).toEqual(new Set([inList]));
    expect(remembered(placed, replayOf(shown))).toContain(inRepeat);
  });

  it("has one id, and its id is no other order's", () => {
    const second = { ...asked, client_order_id: otherKey };
    const data = { type: "NEW_ORDER", order: { ...order, clientOrderId: otherKey } };
    expect(remembered(placed, { body: second, data })).toEqual(["ORD-38 clientOrderId"]);
    expect(remembered(placed, listing({ id: "order-2" }))).toEqual(["ORD-39 id"]);
    const again = { body: asked, data: { type: "NEW_ORDER", order: { ...order, id: "order-2" } } };
    expect(remembered(placed, again)).toEqual(["PLC-10 id"]);
  });

  it("may be one of two, when another key of the client used the client_order_id, too (AS-12)", () => {
    const other = { ...order, id: "order-2" };
    const beside = { body: asked, data: { type: "NEW_ORDER", order: other }, role: "writeOrders" };
    const both = { data: [order, other] };
    expect(remembered(placed, beside, both, { ...both, role: "writeOrders" })).toEqual([]);
  });

  it("is not the answer to the repeat of another", () => {
    const mixed = remembered({ ...replayOf({ id: "order-2", clientOrderId: otherKey }) });
    expect(mixed).toEqual(["PLC-12 clientOrderId"]);
  });

  it("may be placed a second time after it failed", () => {
    const failed = { body: asked, data: { type: "EXTERNAL_EXECUTION_FAILED", message: "no" } };
    const again = { body: asked, data: { type: "NEW_ORDER", order: { ...order, id: "order-2" } } };
    expect(remembered(failed, placed, again)).toEqual([]);
  });

  it("is shown to its client alone", () => {
    expect(remembered(placed, { ...listing({}), client: "B" })).toEqual(["OWN-02 0"]);
    const single = { operation: "readOrder", data: order, client: "B" };
    expect(remembered(placed, single)).toEqual(["OWN-01 data"]);
    expect(remembered(placed, { ...replayOf({}), client: "B" })).toEqual(["PLC-19 order"]);
  });
});

function readOf(text: string) {
  const reading = readJson(Buffer.from(text));
  if (!reading.ok) throw new Error(reading.problem);
  return reading.json;
}
