import type { ValueMap } from "../model/value.ts";

/** The kit's names for channels; a profile maps them to those of its target. */
export const channelNames = [
  "orders",
  "orderBook",
  "trades",
  "ticker",
  "candles",
  "wallets",
  "deposits",
  "heartbeat",
] as const;

/** The events that show that a channel is alive; the profile has to describe at least one of them. */
export const eventsOfChannel: Readonly<Record<string, readonly string[]>> = {
  orders: ["order"],
  orderBook: ["book", "bookUpdate"],
  trades: ["trades"],
  ticker: ["ticker"],
  candles: ["candle"],
  heartbeat: ["heartbeat"],
};

export const marketEvents = ["book", "bookUpdate", "trades", "ticker", "candle"] as const;

const book = {
  bids: "#/data/bids",
  asks: "#/data/asks",
  version: "#/data/bookSequence",
  price: "#/price",
  quantity: "#/quantity",
};

/**
 * The dialect of the simulator's documentation, in the words of a profile: the meaning of `dialect: gatewright`. The
 * specification allows many dialects; a gateway with another one describes it in its profile.
 */
export const documentedDialect: ValueMap = {
  message: {
    type: "#/type",
    channel: "#/channel",
    product: "#/product",
    sequence: "#/sequence",
    sequenceScope: "connection",
  },
  subscribe: {
    type: "subscribe",
    channel: "${channel}",
    products: "${products}",
    granularity: "${granularity}",
    requestId: "${requestId}",
  },
  unsubscribe: {
    type: "unsubscribe",
    channel: "${channel}",
    products: "${products}",
    requestId: "${requestId}",
  },
  ack: { type: "subscriptions", requestId: "${requestId}" },
  unsubscribed: { type: "subscriptions", requestId: "${requestId}" },
  channels: {
    orders: { name: "orders", claim: "read:orders" },
    orderBook: { name: "orderBook", claim: "read:market-data" },
    trades: { name: "trades", claim: "read:market-data" },
    ticker: { name: "ticker", claim: "read:market-data" },
    candles: { name: "candles", claim: "read:market-data" },
    wallets: { name: "wallets", claim: "read:account" },
    deposits: { name: "deposits", claim: "read:account" },
    heartbeat: "heartbeat",
  },
  events: {
    subscribed: { when: { type: "subscriptions" } },
    error: { when: { type: "error" }, code: "#/code", message: "#/message" },
    heartbeat: { when: { type: "heartbeat" } },
    pong: { when: { type: "pong" } },
    orders: {
      when: { type: "snapshot", channel: "orders" },
      orders: "#/data/orders",
      final: "#/data/final",
    },
    order: { when: { type: "update", channel: "orders" }, order: "#/data/order" },
    book: { when: { type: "snapshot", channel: "orderBook" }, ...book },
    bookUpdate: {
      when: { type: "update", channel: "orderBook" },
      ...book,
      previous: "#/data/prevBookSequence",
    },
    trades: { when: { channel: "trades" }, trades: "#/data/trades" },
    ticker: { when: { channel: "ticker" } },
    candle: { when: { channel: "candles" } },
  },
};
