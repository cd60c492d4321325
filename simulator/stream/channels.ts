/**
 * The channels of the stream as data: who may subscribe, to what, and what names a subscription. Claims are checked when
 * a client subscribes, not when it connects (F-ws-channel-claims).
 */
import type { Claim } from "../domain/account.ts";

/** `market`: public, by product. `account`: of the client behind the key. `connection`: about the connection itself. */
export type ChannelScope = "market" | "account" | "connection";

export interface ChannelRules {
  readonly scope: ChannelScope;
  /** Null: any key. */
  readonly claim: Claim | null;
  readonly products: "required" | "optional" | "none";
  readonly snapshot: string | null;
  readonly update: string;
}

export const allChannels = {
  orderBook: {
    scope: "market",
    claim: "read:market-data",
    products: "required",
    snapshot: "The book, to a depth of 100 levels a side.",
    update: "Levels that changed, with their new quantities.",
  },
  trades: {
    scope: "market",
    claim: "read:market-data",
    products: "required",
    snapshot: "The last trades, at most 50.",
    update: "Trades as they happen.",
  },
  ticker: {
    scope: "market",
    claim: "read:market-data",
    products: "required",
    snapshot: "Last price, best bid and ask, volume of 24 hours.",
    update: "The same, when one of them changed.",
  },
  candles: {
    scope: "market",
    claim: "read:market-data",
    products: "required",
    snapshot: "The newest candle.",
    update: "The newest candle with each trade, and once more when it is closed.",
  },
  orders: {
    scope: "account",
    claim: "read:orders",
    products: "optional",
    snapshot: "All orders that are OPEN or PENDING.",
    update: "Every change of an order.",
  },
  wallets: {
    scope: "account",
    claim: "read:account",
    products: "none",
    snapshot: "All wallets.",
    update: "A wallet that changed.",
  },
  deposits: {
    scope: "account",
    claim: "read:account",
    products: "none",
    snapshot: "Deposits that are PENDING.",
    update: "A deposit that changed.",
  },
  heartbeat: {
    scope: "connection",
    claim: null,
    products: "none",
    snapshot: null,
    update: "A heartbeat, once a second of real time.",
  },
} as const satisfies Readonly<Record<string, ChannelRules>>;

export type Channel = keyof typeof allChannels;

// as: the keys of an object literal are exactly its declared ones.
export const channelNames = Object.keys(allChannels) as readonly Channel[];

/** Events of an order, in the words of the `orders` channel. */
export const orderEvents = [
  "PENDING",
  "ACCEPTED",
  "TRIGGERED",
  "FILL",
  "REDUCED",
  "CANCEL_REQUESTED",
  "CANCELLED",
  "EXPIRED",
  "FAILED",
  "SYNCED",
] as const;

export type OrderEventName = (typeof orderEvents)[number];

export const streamErrorCodes = [
  "INVALID_JSON",
  "INVALID_MESSAGE",
  "UNKNOWN_CHANNEL",
  "UNKNOWN_PRODUCT",
  "PRODUCTS_REQUIRED",
  "INVALID_GRANULARITY",
  "MISSING_CLAIM",
  "FORBIDDEN",
  "TOO_MANY_SUBSCRIPTIONS",
  "RATE_LIMITED",
  "SLOW_CONSUMER",
  "NOT_READY",
] as const;

export type StreamErrorCode = (typeof streamErrorCodes)[number];

/** Why the venue closes a WebSocket. Codes below 4000 are those of RFC 6455. */
export const closeCodes = {
  1000: "The client closed first.",
  1001: "The venue shuts down, or had to read its journal again. Connect and subscribe again.",
  1002: "The client broke the WebSocket protocol.",
  1003: "The client sent a binary message; messages are JSON texts.",
  1007: "The client sent a text that is not UTF-8.",
  1008: "The client sent a message in too many fragments.",
  1009: "The client sent a message that is too large.",
  1011: "The venue stopped itself (health says why), or had an internal error on this connection.",
  4400: "Ten messages in a row could not be understood.",
  4401: "The key was disabled.",
  4408: "No subscription in time, or no answer to pings.",
  4429: "The client sends too much, or reads too slowly.",
} as const satisfies Readonly<Record<number, string>>;

export type CloseCode = keyof typeof closeCodes;
