import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { frame } from "./frame.ts";
import { Market } from "./market.ts";
import {
  bookSnapshot,
  bookUpdate,
  level,
  message,
  newConnection,
  order,
  orderEvent,
  orderSnapshot,
  trade,
  trades,
} from "./testing/messages.ts";

let market: Market;
beforeEach(() => {
  market = new Market();
  newConnection();
});

describe("The book of a watched market", () => {
  it("is a snapshot with each update on it, in order, without levels of nothing", () => {
    market.apply(bookSnapshot(10, [level("100"), level("99")], [level("101")]));
    market.apply(bookUpdate(10, 11, [level("100", "0"), level("99.5", "2")], [level("102", "3")]));
    expect(market.bids).toEqual([level("99.5", "2"), level("99")]);
    expect(market.asks).toEqual([level("101"), level("102", "3")]);
    expect(market.bookSequence).toBe(11);
  });

  it("drops updates that it already has, and waits for a snapshot after a gap", () => {
    market.apply(bookSnapshot(10, [level("100")], []));
    expect(market.apply(bookUpdate(9, 10, [level("100", "7")]))).toEqual([]);
    expect(market.apply(bookUpdate(11, 12, [level("98")]))).toEqual([
      { kind: "gap", channels: ["orderBook"] },
    ]);
    expect(market.apply(bookUpdate(12, 13, [level("97")]))).toEqual([]);
    expect([market.bookSequence, market.gaps]).toEqual([undefined, 1]);
    market.apply(bookSnapshot(13, [level("96")], []));
    expect([market.bookSequence, market.bids]).toEqual([13, [level("96")]]);
  });

  it("is not trusted after a missing message, nor after the connection is lost", () => {
    market.apply(bookSnapshot(10, [level("100")], []));
    expect(market.apply(message({ type: "heartbeat", channel: "heartbeat", sequence: 3 }))).toEqual([
      { kind: "gap", channels: ["orderBook", "trades", "orders"] },
    ]);
    expect(market.bookSequence).toBeUndefined();
    market.connectionLost();
    newConnection();
    expect(market.apply(bookSnapshot(20, [], []))).toEqual([{ kind: "book" }]);
    market.connectionLost();
    expect(market.bookSequence).toBeUndefined();
  });

  it("ignores a message whose number was there already", () => {
    market.apply(bookSnapshot(10, [level("100")], []));
    expect(market.apply(message({ ...bookUpdate(10, 11, [level("99")]).fields, sequence: 1 }))).toEqual([]);
    expect([market.bookSequence, market.gaps]).toEqual([10, 0]);
  });

  it("keeps the best hundred levels of a side", () => {
    const hundred = Array.from({ length: 100 }, (_, i) => level(String(1000 - i)));
    market.apply(bookSnapshot(1, hundred, []));
    market.apply(bookUpdate(1, 2, [level("2000")]));
    expect([market.bids.length, market.bids[0], market.bids.at(-1)]).toEqual([
      100,
      level("2000"),
      level("902"),
    ]);
  });
});

describe("Trades of a watched market", () => {
  it("come newest first, and are reported one by one unless they are old", () => {
    expect(market.apply(trades("snapshot", trade("1", "1", 1), trade("2", "1", 2)))).toEqual([]);
    const told = market.apply(trades("update", trade("3", "1", 3)));
    expect(told).toMatchObject([{ kind: "trade", trade: { price: "3", side: "SELL" } }]);
    expect(market.trades.map(({ price }) => price)).toEqual(["3", "2", "1"]);
  });
});

describe("A market that a target makes up", () => {
  it("is shown in a frame that fits, with any messages", () => {
    const strange = fc.oneof(
      fc.jsonValue(),
      fc.string({ unit: "binary" }),
      fc.constantFrom("1", "-5", "0", "1e400", "0.50000000000001"),
    );
    const kept = [
      "type",
      "channel",
      "data",
      "bids",
      "asks",
      "trades",
      "orders",
      "order",
      "price",
      "quantity",
      "id",
      "fill",
    ];
    const fields = fc.dictionary(
      fc.constantFrom(...kept, "status", "bookSequence", "revision", "final"),
      strange,
    );
    const channel = fc.constantFrom("orderBook", "trades", "ticker", "orders", "heartbeat", "else");
    const type = fc.constantFrom("snapshot", "update", "error", "else");
    const data = fc.oneof(
      strange,
      fields,
      fc.record({ bids: fc.array(fields), asks: fc.array(fields) }),
      fc.record({ orders: fc.array(fields), trades: fc.array(fields), order: fields, revision: fc.nat() }),
    );
    const around = { product: "A-B", target: "", keyId: "", live: true, notice: "", reconnects: 0 };
    fc.assert(
      fc.property(fc.array(fc.record({ type, channel, data }), { maxLength: 20 }), (messages) => {
        const made = new Market();
        for (const one of messages) made.apply(message(one));
        const lines = frame(made, around, { columns: 70, rows: 30 }, { colours: false, unicode: false });
        expect(lines).toHaveLength(29);
        for (const line of lines) expect(line).toMatch(/^[\x20-\x7e]{0,70}$/);
      }),
    );
  });
});

describe("Own orders of a watched market", () => {
  it("change with events of a higher revision only", () => {
    market.apply(orderEvent(2, order("a", "OPEN")));
    expect(market.apply(orderEvent(2, order("a", "FILLED")))).toEqual([]);
    expect(market.apply(orderEvent(1, order("a", "PENDING")))).toEqual([]);
    expect(market.orders).toMatchObject([{ id: "a", status: "OPEN", size: "0.5", price: "59990" }]);
    expect(market.apply(orderEvent(3, order("a", "FILLED")))).toMatchObject([
      { kind: "order", event: "FILL", order: { status: "FILLED" } },
    ]);
  });

  it("stand with the open ones first, then the newest", () => {
    for (const [id, status] of [
      ["a", "OPEN"],
      ["b", "FILLED"],
      ["c", "CANCELLED"],
      ["d", "OPEN"],
    ] as const)
      market.apply(orderEvent(1, order(id, status)));
    expect(market.orders.map(({ id }) => id)).toEqual(["d", "a", "c", "b"]);
  });

  it("are looked up when they are missing in the last part of a snapshot", () => {
    for (const id of ["a", "b", "c"]) market.apply(orderEvent(1, order(id, id === "c" ? "FILLED" : "OPEN")));
    expect(market.apply(orderSnapshot([order("a", "OPEN")], false))).toEqual([]);
    const [missed] = market.apply(orderSnapshot([]));
    expect(missed).toMatchObject({ kind: "missed", orders: [{ id: "b" }] });
  });

  it("take the state of a read unless an event was faster, and disappear when a read finds nothing", () => {
    market.apply(orderEvent(1, order("a", "OPEN")));
    const [asked] = market.orders;
    if (asked === undefined) throw new Error("there is an order");
    market.apply(orderEvent(2, order("a", "FILLED")));
    market.readOrder(order("a", "CANCELLED") as Record<string, unknown>, asked);
    expect(market.orders).toMatchObject([{ status: "FILLED" }]);
    const [now] = market.orders;
    if (now !== undefined) market.readOrder(undefined, now);
    expect(market.orders).toEqual([]);
  });

  it("show the budget of a market order, and its cost as soon as that is known", () => {
    const type = { type: "MARKET", baseQuantity: null, quoteValue: "100", limitPrice: null };
    market.apply(orderEvent(1, order("a", "OPEN", type)));
    expect(market.orders).toMatchObject([{ size: "100 USD", price: "market" }]);
    market.apply(orderEvent(2, order("a", "FILLED", { ...type, averageFilledPrice: "60006" })));
    expect(market.orders).toMatchObject([{ size: "100 USD", price: "60006" }]);
  });
});
