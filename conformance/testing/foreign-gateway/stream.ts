import type { WebSocket } from "ws";
import { textOf } from "./amounts.ts";
import type { Desk } from "./desk.ts";
import type { Depth, Level, Market } from "./market.ts";
import { isLive, type Order, type Record_ } from "./order.ts";
import type { Trade } from "./tape.ts";
import { type Key, type Product, products } from "./world.ts";

/** One open connection: whose it is, what it asked for, and how many messages it has had. */
export interface Line {
  readonly socket: WebSocket;
  readonly key: Key;
  readonly topics: Set<string>;
  count: number;
}

const pastTrades = 20;

const claimOf: Readonly<Record<string, string>> = {
  "own-orders": "read:orders",
  depth: "read:market-data",
  trades: "read:market-data",
  ticker: "read:market-data",
  candles: "read:market-data",
};

/**
 * `{op: "join" | "leave", topic, pairs?, ref?}` in, `{n, kind, topic, …}` out: `joined` with the `ref` and the `pairs`, `oops`, `orders`
 * (the live ones, at the beginning), `order`, `image` and `delta` of a book, `trades`, `ticker`, `candle`. `n` counts the messages of a connection.
 */
export class Stream {
  readonly lines = new Set<Line>();

  open(socket: WebSocket, key: Key): Line {
    const line: Line = { socket, key, topics: new Set(), count: 0 };
    this.lines.add(line);
    socket.on("close", () => this.lines.delete(line));
    socket.on("error", () => this.lines.delete(line));
    return line;
  }

  hear(line: Line, text: string, desk: Desk): void {
    let message: Record_;
    try {
      message = Object(JSON.parse(text)) as Record_;
    } catch {
      return this.send(line, { kind: "oops", why: "this is not JSON" });
    }
    const { op, topic, ref = null } = message;
    const claim = typeof topic === "string" ? claimOf[topic] : undefined;
    if (typeof topic !== "string" || claim === undefined || (op !== "join" && op !== "leave"))
      return this.send(line, { kind: "oops", why: "unknown op or topic", ref });
    if (!this.permits(line, claim)) return this.send(line, { kind: "oops", why: `needs ${claim}`, ref });
    const pairs = topic === "own-orders" ? [] : namedPairs(message["pairs"]);
    if (pairs === undefined) return this.send(line, { kind: "oops", why: "pairs: names of products", ref });
    if (op === "join") this.join(line, topic, pairs, ref, desk);
    else this.leave(line, topic, pairs, ref);
  }

  permits({ key }: Line, claim: string): boolean {
    return key.claims.includes(claim);
  }

  join(line: Line, topic: string, pairs: readonly Product[], ref: unknown, desk: Desk): void {
    const named = pairs.map(({ id }) => id);
    this.send(line, { kind: "joined", topic, ref, ...(named.length > 0 && { pairs: named }) });
    if (topic === "own-orders") {
      line.topics.add(topic);
      this.send(line, { kind: "orders", topic, orders: this.initial(line, desk) });
    }
    for (const product of pairs) {
      line.topics.add(`${topic} ${product.id}`);
      this.send(line, { topic, pair: product.id, ...this.image(topic, product, desk.market) });
    }
  }

  /** What a topic of the market begins with. */
  image(topic: string, product: Product, market: Market): Record_ {
    if (topic === "depth") return { kind: "image", ...market.depth(product) };
    if (topic === "ticker") return this.ticker(product, market);
    if (topic === "candles") return this.candle(product, market);
    const trades = market.tape.of(product).slice(-pastTrades);
    return { kind: "trades", trades: trades.map((trade) => market.tape.view(trade)) };
  }

  ticker(product: Product, market: Market): Record_ {
    const { bids, asks } = market.depth(product);
    const last = market.last.get(product.id);
    return {
      kind: "ticker",
      last: last === undefined ? null : textOf(last),
      bid: bids[0]?.[0] ?? null,
      ask: asks[0]?.[0] ?? null,
    };
  }

  /** The candle of the last minute that has a trade. */
  candle(product: Product, market: Market): Record_ {
    return { kind: "candle", candle: market.tape.candles(product).at(-1) ?? null };
  }

  trade(trade: Trade, market: Market): void {
    const { product } = trade;
    const pair = product.id;
    const lines = (topic: string) => [...this.lines].filter(({ topics }) => topics.has(`${topic} ${pair}`));
    for (const line of lines("trades"))
      this.send(line, { kind: "trades", topic: "trades", pair, trades: [market.tape.view(trade)] });
    for (const line of lines("ticker"))
      this.send(line, { topic: "ticker", pair, ...this.ticker(product, market) });
    for (const line of lines("candles"))
      this.send(line, { topic: "candles", pair, ...this.candle(product, market) });
  }

  leave(line: Line, topic: string, pairs: readonly Product[], ref: unknown): void {
    line.topics.delete(topic);
    for (const { id } of pairs) line.topics.delete(`${topic} ${id}`);
    this.send(line, { kind: "left", topic, ref });
  }

  initial({ key }: Line, desk: Desk): Record_[] {
    return desk.orders
      .filter((order) => isLive(order) && desk.isOwn(key, order))
      .map((order) => desk.writer.view(order));
  }

  send(line: Line, message: Record_): void {
    line.count += 1;
    line.socket.send(JSON.stringify({ n: line.count, ...message }));
  }

  order(order: Order, view: Record_): void {
    for (const line of this.lines) {
      if (this.concerns(line, order)) this.send(line, { kind: "order", topic: "own-orders", order: view });
    }
  }

  concerns({ key, topics }: Line, order: Order): boolean {
    return topics.has("own-orders") && key.client === order.client;
  }

  depth(product: Product, before: Depth, after: Depth): void {
    const change = {
      version: after.version,
      previous: before.version,
      bids: this.changed(before.bids, after.bids),
      asks: this.changed(before.asks, after.asks),
    };
    for (const line of this.lines) {
      if (line.topics.has(`depth ${product.id}`))
        this.send(line, { kind: "delta", topic: "depth", pair: product.id, ...change });
    }
  }

  /** Levels with what is on them now; a level that is gone has zero. */
  changed(before: readonly Level[], after: readonly Level[]): Level[] {
    const [was, is] = [new Map(before), new Map(after)];
    return [...new Set([...was.keys(), ...is.keys()])]
      .filter((price) => was.get(price) !== is.get(price))
      .map((price) => [price, is.get(price) ?? "0"]);
  }
}

function namedPairs(pairs: unknown): readonly Product[] | undefined {
  if (!Array.isArray(pairs) || pairs.length === 0) return undefined;
  const named = pairs.map((name) => products.find(({ id }) => id === name));
  return named.every((product) => product !== undefined) ? named : undefined;
}
