import type { Subscribe, WrittenStep } from "../model/language.ts";
import { isOurs, isWithin } from "../model/profile.ts";
import type { ValueMap } from "../model/value.ts";
import type { Tuple } from "./covering-array.ts";
import { opposite, reached, type Side } from "./own-book.ts";
import type { Plan, Situation } from "./property.ts";
import { onSecond } from "./stream-listeners.ts";
import { connected, heard } from "./stream-steps.ts";
import { missing, type Table, tableProperty } from "./table.ts";
import { marketOf, middleOf, shapeOf, sides, unknownPrice } from "./table-orders.ts";
import { call, firstPlacement, orderOf, settle } from "./templates.ts";

/** An order of that slot by the trader: the fields that are not given are those of an order far from the market. */
type Placing = (slot: string, more?: ValueMap) => WrittenStep[];

/** What comes after the flood, in this order, each with its own look at the stream. */
const newsOf: Readonly<Record<string, (place: Placing, others: Side) => readonly WrittenStep[]>> = {
  "a new order": (place) => [...place("late"), heardOrder("news", { id: { $eqVar: "lateOrder" } })],
  "the fill of an old order": (_, others) => [
    call("theirs", "placeOrder", {
      as: "counterparty",
      body: orderOf(shapeOf("LIMIT", others), "theirs", atMiddle),
    }),
    settle,
    reached("filled", "old", "trader", { order: { status: "FILLED" } }, "the old order did not trade"),
    // It may have traded with somebody else, and earlier.
    heardOrder("fill", { id: { $eqVar: "oldOrder" }, status: "FILLED" }, { from: "connect" }),
  ],
  "a change of the book": (place) => [...place("later", larger), changed("change")],
  "the whole book": () => [
    call(
      "read",
      "orderBook",
      { params: { product: "${product}" } },
      { onFail: "block", expect: { status: "2xx" } },
    ),
    { ws: { collect: { for: "250ms", as: "seen", from: "connect" } } },
    { spec: ["EVT-08"], check: { book: "seen", equals: "read" } },
  ],
  "a change of the book, on a new connection": (place) =>
    [
      ...connected("again"),
      joined(depth),
      { ...heard("image", { is: "book" }, ["EVT-08"], { from: "connect" }), onFail: "block" as const },
    ]
      .map(onSecond)
      .concat(place("last", larger), onSecond(changed("changeToo"))),
};

/**
 * P-53: a stream tells the news after two hundred messages as after one. A stream that has fallen silent looks alive:
 * its connection is open, and pings are answered. Hundreds of changes are made far from the market, then one of each
 * kind that is asked for.
 */
const table: Table = {
  id: "P-53",
  title: "A stream goes on after hundreds of messages",
  spec: ["EVT-07", "EVT-08"],
  safety: "rests",
  requires: { capabilities: ["ws", "ws.subscribe"], operations: ["cancelOrder"] },
  // The flood is not counted: it is sent on this machine only.
  cost: { requests: 20, orders: 6 },
  staging: 1,
  dimensions: {
    news: Object.keys(newsOf),
    side: sides,
  },
  strength: 2,
  cannot: () => undefined,
  lacks,
  together: ({ news, side }) => `${isOfBook(news) ? "book" : "orders"} ${side}`,
  plan,
};

export const longStreams = tableProperty(table);

const product = "liquid";
const rounds = 110;

const isOfBook = (news = ""): boolean => news.includes("book");

function lacks({ news = "" }: Tuple, situation: Situation): string | undefined {
  const { profile } = situation;
  if (!isOurs(profile)) return "hundreds of orders are sent on this machine only";
  const met = news === "the fill of an old order";
  if (met && !isWithin("trades", profile.safety.allow))
    return `the profile allows "${profile.safety.allow}" (safety.allow)`;
  if (isOfBook(news) && profile.stream?.events["bookUpdate"] === undefined)
    return "the profile does not describe the changes of a book (ws.events.bookUpdate)";
  const whole = news === "the whole book";
  return (
    missing(situation, {
      credentials: met ? ["counterparty"] : [],
      capabilities: [
        isOfBook(news) ? "ws.orderBook" : "ws.orders",
        ...(whole ? ["ws.bookVersion"] : []),
        ...(met ? ["liquidity.cross"] : []),
      ],
      operations: [...(whole ? ["orderBook"] : []), ...(met ? ["readOrder"] : [])],
      products: [product],
    }) ??
    unknownPrice(situation, product, "far") ??
    (met ? unknownPrice(situation, product, "near") : undefined)
  );
}

function plan({ side: word = "", news = "" }: Tuple, situation: Situation, all: readonly Tuple[]): Plan {
  const shape = shapeOf("LIMIT", word);
  const asked = Object.keys(newsOf).filter((name) => all.some((tuple) => tuple["news"] === name));
  const isMet = asked.includes("the fill of an old order");
  const place: Placing = (slot, more = {}) => [
    ...firstPlacement(slot, orderOf(shape, slot, more), `${slot}Order`),
    settle,
  ];
  return {
    isolation: "product",
    vars: { ...marketOf(product), ...(isMet ? { middle: middleOf(situation, product) } : {}) },
    steps: [
      ...connected("open"),
      ...(isOfBook(news)
        ? [joined(depth), ...place("before"), told, cancelled("before")]
        : [joined({ channel: "orders" })]),
      ...(isMet ? place("old", atMiddle) : []),
      flood(orderOf(shape, "flood")),
      { ws: { collect: { for: "250ms", as: "flood" } } },
      stillConnected,
      ...asked.flatMap((name) => newsOf[name]?.(place, opposite(word as Side)) ?? []),
    ],
  };
}

const atMiddle: ValueMap = { price: "${middle}" };

const depth: Subscribe = { channel: "orderBook", products: ["${product}"] };

const joined = (which: Subscribe): WrittenStep => ({
  id: `${which.channel}Joined`,
  spec: ["EVT-06"],
  onFail: "block",
  ws: { subscribe: which },
});

/** A stream may send the whole book in place of a change. */
const changed = (id: string): WrittenStep =>
  heard(id, { is: { $in: ["book", "bookUpdate"] }, product: "${product}" }, ["EVT-08"]);

const told: WrittenStep = {
  ...heard("told", { is: "bookUpdate", product: "${product}" }, ["EVT-08"]),
  note: "the stream tells nothing of an order so far from the market",
  onFail: "block",
};

/** A target may close a connection that reads too slowly for it. */
const stillConnected: WrittenStep = {
  onFail: "block",
  ws: { none: { match: { bodyText: "${id.nothing}" }, for: "1ms" } },
};

/** A backlog of the flood may come first. */
const heardOrder = (id: string, order: ValueMap, more = {}): WrittenStep =>
  heard(id, { is: "order", order }, ["EVT-07"], { within: "10s", ...more });

/** Unlike the orders of the flood, so that a stream that tells only what has changed since the last message tells it. */
const larger: ValueMap = { base_quantity: "${double}" };

const cancelled = (slot: string): WrittenStep =>
  call(
    "gone",
    "cancelOrder",
    { params: { id: `\${${slot}Order}` } },
    { note: "the target did not cancel the order", onFail: "block", expect: { status: "2xx" } },
  );

/** Each order makes a level of the book, and each cancel ends it. */
const flood = (order: ValueMap): WrittenStep => ({
  repeat: {
    times: rounds,
    as: "round",
    steps: [
      {
        id: "passing",
        note: "the target took no such order",
        onFail: "block",
        call: { op: "placeOrder", body: { ...order, client_order_id: { $uuid4: "round ${round}" } } },
        expect: { $macro: "placed" },
        capture: { passingOrder: "#/data/order/id" },
      },
      cancelled("passing"),
    ],
  },
});
