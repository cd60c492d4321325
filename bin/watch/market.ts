/**
 * One product, made from the messages of a stream: book, trades, own orders. It knows
 * nothing of sockets and terminals, and reports events to its caller.
 *
 * The book is right or it is absent: an update that does not follow the book is a gap, and the book waits for
 * a new snapshot. An order event with a revision that is known already is dropped.
 */
import {
  type Fields,
  fieldsOf,
  type Level,
  levelsOf,
  listOf,
  type Message,
  numberOf,
  textOf,
} from "./message.ts";

export interface Trade {
  readonly time: string;
  readonly side: string;
  readonly price: string;
  readonly quantity: string;
}

export interface WatchedOrder {
  readonly id: string;
  readonly clientOrderId: string;
  readonly side: string;
  readonly type: string;
  /** Base quantity, or what a MARKET BUY may spend. */
  readonly size: string;
  /** The limit; of a MARKET order what was paid, as soon as that is known. */
  readonly price: string;
  readonly filled: string;
  readonly status: string;
  readonly updatedAt: string;
}

export type MarketEvent =
  | { readonly kind: "book" }
  | { readonly kind: "trade"; readonly trade: Trade }
  | {
      readonly kind: "order";
      readonly event: string;
      readonly order: WatchedOrder;
      readonly fill: Fields | undefined;
    }
  /** Something is lost: the topics to subscribe to again. */
  | { readonly kind: "gap"; readonly channels: readonly string[] }
  /** Orders that were open and are not any more, without having been told: they have to be read. */
  | { readonly kind: "missed"; readonly orders: readonly WatchedOrder[] }
  | { readonly kind: "error"; readonly code: string; readonly message: string };

const mostTrades = 50;
const mostOrders = 100;
const depth = 100;

export class Market {
  bids: readonly Level[] = [];
  asks: readonly Level[] = [];
  /** Newest first. */
  trades: readonly Trade[] = [];
  lastPrice = "";
  volume = "";
  /** Undefined while there is no book to trust. */
  bookSequence: number | undefined;
  messages = 0;
  gaps = 0;
  #orders = new Map<string, { order: WatchedOrder; revision: number }>();
  #listed: WatchedOrder[] = [];
  #received = 0;

  /** Newest first, those that are still open before the others. */
  get orders(): readonly WatchedOrder[] {
    const all = Array.from(this.#orders.values(), ({ order }) => order).reverse();
    return [...all.filter(isOpen), ...all.filter((order) => !isOpen(order))];
  }

  /** A new connection counts its messages anew, and brings new snapshots. */
  connectionLost(): void {
    this.#received = 0;
    this.#listed = [];
    this.bookSequence = undefined;
  }

  apply(message: Message): readonly MarketEvent[] {
    this.messages += 1;
    const { sequence } = message;
    if (sequence === undefined) return this.#eventsOf(message);
    // An echo, or a late message: its content was asked for again when it was missed.
    if (sequence <= this.#received) return [];
    const missing = sequence > this.#received + 1;
    this.#received = sequence;
    const found = missing ? [this.#gap("orderBook", "trades", "orders")] : [];
    return [...found, ...this.#eventsOf(message)];
  }

  /** The result of reading an order, undefined if there is none; an event that came meanwhile is newer. */
  readOrder(record: Fields | undefined, asked: WatchedOrder): void {
    const known = this.#orders.get(asked.id);
    if (known?.order !== asked) return;
    if (record === undefined) this.#orders.delete(asked.id);
    else this.#keep(orderOf(record), known.revision);
  }

  #eventsOf({ type, channel, data, fields }: Message): readonly MarketEvent[] {
    if (type === "error")
      return [{ kind: "error", code: textOf(fields["code"]), message: textOf(fields["message"]) }];
    if (type !== "snapshot" && type !== "update") return [];
    switch (channel) {
      case "orderBook":
        return type === "snapshot" ? this.#bookSnapshot(data) : this.#bookUpdate(data);
      case "trades":
        return this.#tradesOf(type, data);
      case "ticker":
        this.lastPrice = textOf(data["lastPrice"]);
        this.volume = textOf(data["volume24h"]);
        return [];
      case "orders":
        return type === "snapshot" ? this.#orderSnapshot(data) : this.#orderEvent(data);
      default:
        return [];
    }
  }

  #gap(...channels: string[]): MarketEvent {
    this.gaps += 1;
    if (channels.includes("orderBook")) this.bookSequence = undefined;
    return { kind: "gap", channels };
  }

  #bookSnapshot(data: Fields): readonly MarketEvent[] {
    this.bids = levelsOf(data["bids"]);
    this.asks = levelsOf(data["asks"]);
    this.bookSequence = numberOf(data["bookSequence"]);
    return [{ kind: "book" }];
  }

  #bookUpdate(data: Fields): readonly MarketEvent[] {
    const sequence = numberOf(data["bookSequence"]);
    if (this.bookSequence === undefined || sequence === undefined || sequence <= this.bookSequence) return [];
    if (numberOf(data["prevBookSequence"]) !== this.bookSequence) return [this.#gap("orderBook")];
    this.bids = changed(this.bids, levelsOf(data["bids"]), -1);
    this.asks = changed(this.asks, levelsOf(data["asks"]), 1);
    this.bookSequence = sequence;
    return [{ kind: "book" }];
  }

  #tradesOf(type: string, data: Fields): readonly MarketEvent[] {
    const trades = listOf(data["trades"]).map(tradeOf);
    const newestFirst = trades.toReversed();
    this.trades = type === "snapshot" ? newestFirst : [...newestFirst, ...this.trades].slice(0, mostTrades);
    return type === "snapshot" ? [] : trades.map((trade) => ({ kind: "trade", trade }));
  }

  #orderSnapshot(data: Fields): readonly MarketEvent[] {
    this.#listed.push(...listOf(data["orders"]).map(orderOf));
    if (data["final"] === false) return [];
    const listed = this.#listed.splice(0);
    for (const order of listed) this.#keep(order, this.#orders.get(order.id)?.revision ?? 0);
    const ids = new Set(listed.map(({ id }) => id));
    const missed = this.orders.filter((order) => isOpen(order) && !ids.has(order.id));
    return missed.length === 0 ? [] : [{ kind: "missed", orders: missed }];
  }

  #orderEvent(data: Fields): readonly MarketEvent[] {
    const order = orderOf(fieldsOf(data["order"]));
    const revision = numberOf(data["revision"]) ?? 0;
    if (order.id === "" || revision <= (this.#orders.get(order.id)?.revision ?? 0)) return [];
    this.#keep(order, revision);
    const fill = data["fill"] === undefined ? undefined : fieldsOf(data["fill"]);
    return [{ kind: "order", event: textOf(data["event"]), order, fill }];
  }

  #keep(order: WatchedOrder, revision: number): void {
    this.#orders.set(order.id, { order, revision });
    const over = this.#orders.size - mostOrders;
    if (over > 0) for (const { id } of this.orders.slice(-over)) this.#orders.delete(id);
  }
}

export const isOpen = ({ status }: WatchedOrder): boolean => status === "OPEN" || status === "PENDING";

/** Quantities are absolute, zero takes a level away, and the stream speaks of the best hundred only. */
function changed(side: readonly Level[], changes: readonly Level[], direction: 1 | -1): readonly Level[] {
  const levels = new Map([...side, ...changes].map((level) => [level.price, level]));
  return [...levels.values()]
    .filter(({ quantity }) => Number(quantity) !== 0)
    .sort((a, b) => direction * (Number(a.price) - Number(b.price)))
    .slice(0, depth);
}

const tradeOf = (trade: Fields): Trade => ({
  time: textOf(trade["time"]),
  side: textOf(trade["takerSide"]),
  price: textOf(trade["price"]),
  quantity: textOf(trade["quantity"]),
});

function orderOf(order: Fields): WatchedOrder {
  const field = (name: string): string => textOf(order[name]);
  return {
    id: field("id"),
    clientOrderId: field("clientOrderId"),
    side: field("side"),
    type: field("type"),
    size: field("baseQuantity") || `${field("quoteValue")} ${field("productId").split("-")[1] ?? ""}`,
    price: field("limitPrice") || field("averageFilledPrice") || "market",
    filled: field("filledQuantity"),
    status: field("status"),
    updatedAt: field("updatedAt"),
  };
}
