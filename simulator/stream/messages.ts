/**
 * Every message of the stream as a JSON Schema, in the same plain form as the records of `wire/`: the document of the
 * stream is made from these, and a test holds what the venue really sends against them.
 *
 * **Invariants.** Messages are flat: `type`, then `channel` and `product` where they apply, `sequence`, `timestamp`,
 * `data`. Records inside `data` are those of the reads, field for field. `sequence` counts every message of a connection
 * from 1, of any type, so a gap is a loss (F-ws-sequence).
 */

import type { Schema, Shape } from "../schema/fields.ts";
import { granularityNames } from "../wire/granularity.ts";
import {
  always,
  count,
  decimal,
  flag,
  list,
  nullable,
  oneOfText,
  out,
  productId,
  record,
  ref,
  text,
  time,
  uuid,
} from "../wire/schema.ts";
import { type Channel, channelNames, orderEvents, streamErrorCodes } from "./channels.ts";
import { mostRequestId } from "./client-messages.ts";

const sequence = count("Counts every message of this connection from 1. A gap means a loss.", { minimum: 1 });
const timestamp = time("Market time of the event; of the venue's clock for messages without an event.");
const requestId = text("Echo of the request's `requestId`.", { maxLength: mostRequestId });
const granularity = oneOfText("Length of an interval.", granularityNames);
const channelName = oneOfText("Name of a channel.", channelNames);
const bookSequence = count("Number of the book after this message; the read of the book uses the same.");

export interface MessageSchema {
  readonly name: string;
  readonly channel: Channel | null;
  readonly schema: Schema;
}

/** A record that several messages have. */
const named = (title: string, ...parts: Parameters<typeof record>) =>
  out<unknown>({ title, ...record(...parts) });

/** A data message of a channel; those of the market name their product. */
function dataMessage(
  name: string,
  type: "snapshot" | "update",
  channel: Channel,
  data: Readonly<Record<string, Shape<unknown>>>,
  more: { readonly product?: true; readonly optional?: readonly string[] } = {},
): MessageSchema {
  const about = `${type === "snapshot" ? "State" : "Change"} on the channel ${channel}.`;
  const schema = record(about, {
    sequence,
    type: always("Kind of message.", type),
    channel: always("Channel.", channel),
    ...(more.product === true ? { product: productId("Trading pair.") } : {}),
    timestamp,
    data: record("Payload.", data, more.optional),
  });
  return { name, channel, schema };
}

const levels = (side: string) => list(ref("BookLevel"), side);
const trade = named("Trade", "A trade.", {
  tradeId: text("Number of the trade, as a text."),
  price: decimal("Price."),
  quantity: decimal("Base quantity."),
  takerSide: oneOfText("Side of the order that came later.", ["BUY", "SELL"]),
  time: time("When it happened."),
});
const ticker = {
  lastPrice: nullable(decimal("Price of the last trade; null before the first.")),
  referencePrice: decimal("Price that stops are measured against before the first trade; it never changes."),
  bestBid: nullable(decimal("Highest bid; null when there is none.")),
  bestAsk: nullable(decimal("Lowest ask; null when there is none.")),
  volume24h: decimal("Base quantity traded in the last 24 hours of market time, by whole minutes."),
};
const fill = named("Fill", "A fill of one order.", {
  fillId: uuid("Id of the fill: of this side of the trade."),
  tradeId: text("Number of the trade, as a text."),
  price: decimal("Price."),
  quantity: decimal("Base quantity."),
  value: decimal("Price times quantity, in quote."),
  commission: decimal("Commission of this fill."),
  exchangeFee: decimal("Exchange fee of this fill."),
  liquidity: oneOfText("Which side of the trade this order was.", ["MAKER", "TAKER"]),
  time: time("When it happened."),
});

const marketMessages: readonly MessageSchema[] = [
  dataMessage(
    "OrderBookSnapshot",
    "snapshot",
    "orderBook",
    { bookSequence, bids: levels("Best first."), asks: levels("Best first.") },
    { product: true },
  ),
  dataMessage(
    "OrderBookUpdate",
    "update",
    "orderBook",
    {
      prevBookSequence: count(
        "Number of the book before this message: apply it when yours is equal, drop it when yours is at or past `bookSequence`, else subscribe again.",
      ),
      bookSequence,
      bids: levels('Changed levels. Quantities are absolute; "0" removes the level.'),
      asks: levels('Changed levels. Quantities are absolute; "0" removes the level.'),
    },
    { product: true },
  ),
  dataMessage(
    "TradesSnapshot",
    "snapshot",
    "trades",
    { trades: list(trade, "Oldest first.") },
    {
      product: true,
    },
  ),
  dataMessage(
    "TradesUpdate",
    "update",
    "trades",
    { trades: list(trade, "Oldest first.") },
    { product: true },
  ),
  dataMessage("TickerSnapshot", "snapshot", "ticker", ticker, { product: true }),
  dataMessage("TickerUpdate", "update", "ticker", ticker, { product: true }),
  dataMessage(
    "CandlesSnapshot",
    "snapshot",
    "candles",
    {
      granularity,
      closed: flag("Whether the interval has ended."),
      candle: nullable(ref("Candle")),
    },
    { product: true },
  ),
  dataMessage(
    "CandlesUpdate",
    "update",
    "candles",
    { granularity, closed: flag("Whether the interval has ended."), candle: ref("Candle") },
    { product: true },
  ),
];

const accountMessages: readonly MessageSchema[] = [
  dataMessage("OrdersSnapshot", "snapshot", "orders", {
    orders: list(ref("Order"), "Open orders, oldest first, at most 50 in a message."),
    final: flag("Whether this is the last message of the snapshot; changes come after it."),
  }),
  dataMessage(
    "OrdersUpdate",
    "update",
    "orders",
    {
      event: oneOfText("What happened.", orderEvents),
      revision: count("Grows by one with every change of this order, across connections and restarts.", {
        minimum: 1,
      }),
      order: ref("Order"),
      fill: fill,
    },
    { optional: ["fill"] },
  ),
  dataMessage("WalletsSnapshot", "snapshot", "wallets", { wallets: list(ref("Wallet")) }),
  dataMessage("WalletsUpdate", "update", "wallets", { wallet: ref("Wallet") }),
  dataMessage("DepositsSnapshot", "snapshot", "deposits", {
    deposits: list(ref("Deposit"), "Pending deposits, oldest first."),
  }),
  dataMessage("DepositsUpdate", "update", "deposits", { deposit: ref("Deposit") }),
];

const subscription = named(
  "Subscription",
  "A subscription that is in force.",
  {
    channel: channelName,
    products: list(productId("Trading pair."), "Absent where a channel has none, or all are meant."),
    granularity,
  },
  ["products", "granularity"],
);

const plainMessages: readonly MessageSchema[] = [
  {
    name: "Subscriptions",
    channel: null,
    schema: record(
      "Answer to subscribe and unsubscribe: everything this connection is subscribed to from now on. Comes before the snapshots.",
      {
        sequence,
        type: always("Kind of message.", "subscriptions"),
        timestamp,
        requestId,
        subscriptions: list(subscription),
      },
      ["requestId"],
    ),
  },
  {
    name: "Heartbeat",
    channel: "heartbeat",
    schema: record("A heartbeat, once a second of real time.", {
      sequence,
      type: always("Kind of message.", "heartbeat"),
      channel: always("Channel.", "heartbeat"),
      timestamp,
      data: record("Payload.", { counter: count("Counts the heartbeats of this connection.") }),
    }),
  },
  {
    name: "Pong",
    channel: null,
    schema: record(
      "Answer to a ping message.",
      { sequence, type: always("Kind of message.", "pong"), timestamp, requestId },
      ["requestId"],
    ),
  },
  {
    name: "Error",
    channel: null,
    schema: record(
      "A request that the venue cannot serve. It closes the connection only in the cases that `docs/stream.md` lists.",
      {
        sequence,
        type: always("Kind of message.", "error"),
        timestamp,
        requestId,
        code: oneOfText("For programs.", streamErrorCodes),
        message: text("For people: what was expected, what was found, what to do."),
      },
      ["requestId"],
    ),
  },
];

/** Messages of the venue. */
export const serverMessages: readonly MessageSchema[] = [
  ...plainMessages,
  ...marketMessages,
  ...accountMessages,
];
