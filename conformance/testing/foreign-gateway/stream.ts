import type { WebSocket } from "ws";
import type { Desk } from "./desk.ts";
import type { Depth, Level } from "./market.ts";
import { isLive, type Order, type Record_ } from "./order.ts";
import { type Key, type Product, products } from "./world.ts";

/** One open connection: whose it is, what it asked for, and how many messages it has had. */
export interface Line {
  readonly socket: WebSocket;
  readonly key: Key;
  readonly topics: Set<string>;
  count: number;
}

const claimOf: Readonly<Record<string, string>> = { "own-orders": "read:orders", depth: "read:market-data" };

/**
 * `{op: "join" | "leave", topic, pairs?, ref?}` in, `{n, kind, topic, …}` out: `joined` with the `ref` and the `pairs`, `oops`, `orders`
 * (the live ones, at the beginning), `order`, `image` and `delta` of a book. `n` counts the messages of a connection.
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
    const pairs = topic === "depth" ? namedPairs(message["pairs"]) : [];
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
      line.topics.add(`depth ${product.id}`);
      this.send(line, { kind: "image", topic, pair: product.id, ...desk.market.depth(product) });
    }
  }

  leave(line: Line, topic: string, pairs: readonly Product[], ref: unknown): void {
    line.topics.delete(topic);
    for (const { id } of pairs) line.topics.delete(`depth ${id}`);
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
