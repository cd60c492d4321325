import fc from "fast-check";
import { beforeEach, expect, it } from "vitest";
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

it("The book is a snapshot with each update on it, in order, without levels of nothing, a hundred on a side", () => {
  market.apply(bookSnapshot(10, [level("100"), level("99")], [level("101")]));
  market.apply(bookUpdate(10, 11, [level("100", "0"), level("99.5", "2")], [level("102", "3")]));
  expect(market.bids).toEqual([level("99.5", "2"), level("99")]);
  expect(market.asks).toEqual([level("101"), level("102", "3")]);
  expect(market.bookSequence).toBe(11);
  const hundred = Array.from({ length: 100 }, (_, i) => level(String(1000 - i)));
  market.apply(bookSnapshot(1, hundred, []));
  market.apply(bookUpdate(1, 2, [level("2000")]));
  const { bids } = market;
  expect([bids.length, bids[0], bids.at(-1)]).toEqual([100, level("2000"), level("902")]);
});

it("The book drops updates that it already has, and waits for a snapshot after a gap", () => {
  market.apply(bookSnapshot(10, [level("100")], []));
  expect(market.apply(bookUpdate(9, 10, [level("100", "7")]))).toEqual([]);
  expect(market.apply(message({ ...bookUpdate(10, 11, [level("99")]).fields, sequence: 1 }))).toEqual([]);
  expect([market.bookSequence, market.gaps]).toEqual([10, 0]);
  expect(market.apply(message({ ...bookUpdate(11, 12, [level("98")]).fields, sequence: 3 }))).toEqual([
    { kind: "gap", channels: ["orderBook"] },
  ]);
  expect(market.apply(bookUpdate(12, 13, [level("97")]))).toEqual([]);
  expect([market.bookSequence, market.gaps]).toEqual([undefined, 1]);
  market.apply(bookSnapshot(13, [level("96")], []));
  expect([market.bookSequence, market.bids]).toEqual([13, [level("96")]]);
});

it("The book is not trusted after a missing message, nor after the connection is lost", () => {
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

it("Trades come newest first, and are reported one by one unless they are old", () => {
  expect(market.apply(trades("snapshot", trade("1", "1", 1), trade("2", "1", 2)))).toEqual([]);
  const told = market.apply(trades("update", trade("3", "1", 3)));
  expect(told).toMatchObject([{ kind: "trade", trade: { price: "3", side: "SELL" } }]);
  expect(market.trades.map(({ price }) => price)).toEqual(["3", "2", "1"]);
});

it("Own orders change with events of a higher revision only, the open ones first, then the newest", () => {
  market.apply(orderEvent(2, order("a", "OPEN")));
  for (const [revision, status] of [[2, "FILLED"] as const, [1, "PENDING"] as const])
    expect(market.apply(orderEvent(revision, order("a", status)))).toEqual([]);
  expect(market.orders).toMatchObject([{ id: "a", status: "OPEN", size: "0.5", price: "59990" }]);
  expect(market.apply(orderEvent(3, order("b", "FILLED")))).toMatchObject([
    { kind: "order", event: "FILL", order: { status: "FILLED" } },
  ]);
  market.apply(orderEvent(1, order("c", "CANCELLED")));
  market.apply(orderEvent(1, order("d", "OPEN")));
  expect(market.orders.map(({ id }) => id)).toEqual(["d", "a", "c", "b"]);
});

it("Own orders are looked up when they are missing in the last part of a snapshot", () => {
  for (const id of ["a", "b", "c"]) market.apply(orderEvent(1, order(id, id === "c" ? "FILLED" : "OPEN")));
  expect(market.apply(orderSnapshot([order("a", "OPEN")], false))).toEqual([]);
  expect(market.apply(orderSnapshot([]))).toMatchObject([{ kind: "missed", orders: [{ id: "b" }] }]);
});

it("Own orders take the state of a read unless an event was faster, and disappear when a read finds nothing", () => {
  market.apply(orderEvent(1, order("a", "OPEN")));
  const [asked] = market.orders;
  market.apply(orderEvent(2, order("a", "FILLED")));
  if (asked !== undefined) market.readOrder(order("a", "CANCELLED") as Record<string, unknown>, asked);
  expect(market.orders).toMatchObject([{ status: "FILLED" }]);
  const [now] = market.orders;
  if (now !== undefined) market.readOrder(undefined, now);
  expect(market.orders).toEqual([]);
});

it("Own orders show the budget of a market order, and its cost as soon as that is known", () => {
  const type = { type: "MARKET", baseQuantity: null, quoteValue: "100", limitPrice: null };
  market.apply(orderEvent(1, order("a", "OPEN", type)));
  expect(market.orders).toMatchObject([{ size: "100 USD", price: "market" }]);
  market.apply(orderEvent(2, order("a", "FILLED", { ...type, averageFilledPrice: "60006" })));
  expect(market.orders).toMatchObject([{ size: "100 USD", price: "60006" }]);
});

it("A market that a target makes up is shown in a frame that fits, with any messages", () => {
  const numbers = fc.constantFrom("1", "-5", "0", "1e400", "0.50000000000001");
  const strange = fc.oneof(fc.jsonValue(), fc.string({ unit: "binary" }), numbers);
  const names =
    "type channel data bids asks trades orders order price quantity id fill status bookSequence revision final";
  const fields = fc.dictionary(fc.constantFrom(...names.split(" ")), strange);
  const channel = fc.constantFrom("orderBook", "trades", "ticker", "orders", "heartbeat", "else");
  const type = fc.constantFrom("snapshot", "update", "error", "else");
  const list = fc.array(fields);
  const book = fc.record({ bids: list, asks: list });
  const rest = fc.record({ orders: list, trades: list, order: fields, revision: fc.nat() });
  const data = fc.oneof(strange, fields, book, rest);
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
