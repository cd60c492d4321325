/**
 * A careful client of the stream: local books, orders and wallets, by the rules of docs/stream.md only. A message that
 * does not fit them is kept as a fault.
 */
import { asObject, type Json, type JsonObject } from "./client.ts";

const mostHistory = 4000;

type SideName = "bids" | "asks";

export class LocalBook {
  sequence = -1;
  readonly #sides = { bids: new Map<string, string>(), asks: new Map<string, string>() };
  /** The checksum of the book at each sequence that it went through. */
  readonly history = new Map<number, number>();
  #checksum = 0;

  restart(data: JsonObject): void {
    this.#checksum = 0;
    for (const side of ["bids", "asks"] as const) {
      this.#sides[side].clear();
      this.#change(side, data[side] ?? null);
    }
    this.#arrive(data["bookSequence"]);
  }

  /** The problem of the update, or null. */
  apply(data: JsonObject): string | null {
    const before = data["prevBookSequence"];
    if (before !== this.sequence) return `an update from ${String(before)} met a book at ${this.sequence}`;
    this.#change("bids", data["bids"] ?? null);
    this.#change("asks", data["asks"] ?? null);
    this.#arrive(data["bookSequence"]);
    return null;
  }

  #arrive(sequence: Json | undefined): void {
    this.sequence = Number(sequence);
    this.history.set(this.sequence, this.#checksum);
    const [oldest] = this.history.keys();
    if (this.history.size > mostHistory && oldest !== undefined) this.history.delete(oldest);
  }

  #change(side: SideName, levels: Json): void {
    for (const level of levelsOf(levels)) {
      const [price, quantity] = [String(level["price"]), String(level["quantity"])];
      const before = this.#sides[side].get(price);
      if (before !== undefined) this.#checksum -= checksumOf(side, price, before);
      if (quantity === "0") this.#sides[side].delete(price);
      else this.#sides[side].set(price, quantity);
      if (quantity !== "0") this.#checksum += checksumOf(side, price, quantity);
    }
  }
}

/** The same of a book that was read: a sum over its levels, so that it can be kept up to date. */
export function bookChecksum(data: JsonObject): number {
  let sum = 0;
  for (const side of ["bids", "asks"] as const) {
    for (const { price, quantity } of levelsOf(data[side] ?? null))
      sum += checksumOf(side, String(price), String(quantity));
  }
  return sum;
}

/** FNV-1a. */
function checksumOf(side: SideName, price: string, quantity: string): number {
  let hash = 0x811c9dc5;
  for (const character of `${side} ${price} ${quantity}`)
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}

const levelsOf = (levels: Json): readonly JsonObject[] => (Array.isArray(levels) ? levels.map(asObject) : []);

interface KnownOrder {
  /** Null: known from a snapshot only. */
  readonly revision: number | null;
  readonly record: JsonObject;
}

/** Follows one connection from its first message on. */
export class Follower {
  readonly faults: string[] = [];
  readonly books = new Map<string, LocalBook>();
  readonly orders = new Map<string, KnownOrder>();
  readonly wallets = new Map<string, JsonObject>();
  heard = 0;
  #sequence = 0;
  #timestamp = "";

  hear(message: JsonObject): void {
    this.heard++;
    const { sequence, type, channel, timestamp } = message;
    if (sequence !== this.#sequence + 1) this.faults.push(`${String(sequence)} came after ${this.#sequence}`);
    this.#sequence = Number(sequence);
    if (String(timestamp) < this.#timestamp)
      this.faults.push(`${String(timestamp)} came after ${this.#timestamp}`);
    this.#timestamp = String(timestamp);
    if (type === "error") this.faults.push(JSON.stringify(message));
    const data = asObject(message["data"] ?? {});
    if (channel === "orderBook") this.#hearBook(String(type), String(message["product"]), data);
    if (channel === "orders") this.#hearOrders(String(type), data);
    if (channel === "wallets") this.#hearWallets(data);
  }

  #hearBook(type: string, product: string, data: JsonObject): void {
    const book = this.books.get(product) ?? new LocalBook();
    this.books.set(product, book);
    if (type === "snapshot") return book.restart(data);
    const fault = book.apply(data);
    if (fault !== null) this.faults.push(`${product}: ${fault}`);
  }

  #hearOrders(type: string, data: JsonObject): void {
    if (type === "snapshot") {
      for (const order of levelsOf(data["orders"] ?? null))
        this.orders.set(String(order["id"]), { revision: null, record: order });
      return;
    }
    const record = asObject(data["order"] ?? null);
    const id = String(record["id"]);
    const revision = Number(data["revision"]);
    const known = this.orders.get(id);
    const expected = known === undefined ? 1 : known.revision === null ? revision : known.revision + 1;
    // An order that was over before this connection subscribed may still be reconciled.
    const late = known === undefined && ["SYNCED"].includes(String(data["event"]));
    if (revision !== expected && !late)
      this.faults.push(`order ${id}: revision ${revision} came, ${expected} was next`);
    this.orders.set(id, { revision, record });
  }

  #hearWallets(data: JsonObject): void {
    const some =
      data["wallet"] === undefined ? levelsOf(data["wallets"] ?? null) : [asObject(data["wallet"])];
    for (const wallet of some) this.wallets.set(String(wallet["asset"]), wallet);
  }
}
