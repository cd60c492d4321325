/**
 * The stream against the reads: random orders of several clients while subscribers come and go. Every book that a
 * subscriber keeps must be the book that is read at the same `bookSequence`; every order and wallet it heard of must be
 * the record that is read, revision by revision.
 */
import { Random } from "../engine/testing/random.ts";
import { asObject, type JsonObject } from "./client.ts";
import { connectStream, type StreamClient } from "./stream-client.ts";
import { bookChecksum, Follower } from "./stream-follower.ts";
import { limitBuy, limitSell, marketBuy, marketSell, stopBuy, type Venue } from "./venue.ts";

export const accounts = ["trader", "other", "counterparty"] as const;
export const products = ["BTC-USD", "ETH-USD"] as const;
const centre = { "BTC-USD": 60_000, "ETH-USD": 3000 } as const;

interface Subscriber {
  readonly account: string;
  readonly stream: StreamClient;
  readonly follower: Follower;
}

export interface ModelResult {
  readonly messages: number;
  readonly booksCompared: number;
  readonly ordersCompared: number;
  readonly connections: number;
  readonly faults: readonly string[];
}

/** A request that met a connection which the venue was just closing for its age is sent again, with a new nonce. */
async function retrying<T>(send: () => Promise<T>): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ECONNRESET") return send();
    throw error;
  }
}

export class StreamModel {
  readonly #venue: Venue;
  readonly #random: Random;
  #subscribers: Subscriber[] = [];
  readonly #open = new Map<string, string>();
  readonly #faults: string[] = [];
  #messages = 0;
  #booksCompared = 0;
  #ordersCompared = 0;
  #connections = 0;

  constructor(venue: Venue, seed: number) {
    this.#venue = venue;
    this.#random = new Random(seed);
  }

  get isFaulty(): boolean {
    return this.#faults.length > 0;
  }

  /** Requests at once, with subscribers joining and leaving among them; then all are quiet and compared. */
  async round(requests: number, subscribers: number): Promise<void> {
    const work: Promise<unknown>[] = [];
    const reads: Promise<void>[] = [];
    for (let sent = 0; sent < requests; sent++) {
      work.push(this.#act());
      if (this.#random.next() < 0.05) reads.push(this.#compareBook(this.#random.pick(products)));
      if (this.#random.next() < 0.1) work.push(this.#joinOrLeave(subscribers));
      if (work.length >= 32) await Promise.all(work.splice(0, 16));
    }
    await Promise.all(work);
    await this.#venue.advance(this.#random.int(0, 200));
    await Promise.all(reads);
    await this.#compareAll();
  }

  async finish(): Promise<ModelResult> {
    for (const each of this.#subscribers.splice(0)) await this.#leave(each);
    const messages = this.#messages;
    const booksCompared = this.#booksCompared;
    const ordersCompared = this.#ordersCompared;
    const connections = this.#connections;
    const faults = this.#faults;
    return { messages, booksCompared, ordersCompared, connections, faults };
  }

  async #act(): Promise<void> {
    const account = this.#random.pick(accounts);
    if (this.#random.next() < 0.3 && this.#open.size > 0) {
      const [id, owner] = this.#random.pick([...this.#open]);
      this.#open.delete(id);
      await retrying(() => this.#venue.as(owner).delete(`/order/${id}`));
      return;
    }
    const order = this.#order();
    const reply = await retrying(() => this.#venue.as(account).place(order));
    const placed = reply.data["order"];
    if (placed !== undefined) this.#open.set(String(asObject(placed)["id"]), account);
    if (this.#random.next() < 0.02) await this.#venue.advance(this.#random.int(1, 100));
  }

  #order(): JsonObject {
    const product = this.#random.pick(products);
    const price = String(centre[product] + this.#random.int(-30, 30));
    const base_quantity = `0.${this.#random.int(1, 9)}`;
    const kind = this.#random.next();
    if (kind < 0.4) return limitBuy({ product, price, base_quantity });
    if (kind < 0.8) return limitSell({ product, price, base_quantity });
    if (kind < 0.87) return marketBuy({ product, quote_value: String(this.#random.int(100, 30_000)) });
    if (kind < 0.94) return marketSell({ product, base_quantity });
    const stop = String(centre[product] + this.#random.int(1, 20));
    return stopBuy({ product, base_quantity, stop_price: stop, price: String(Number(stop) + 5) });
  }

  async #joinOrLeave(most: number): Promise<void> {
    if (this.#subscribers.length >= most || this.#random.next() < 0.25) {
      const [gone] = this.#subscribers.splice(this.#random.int(0, this.#subscribers.length - 1), 1);
      if (gone !== undefined) await this.#leave(gone);
      return;
    }
    const account = this.#random.pick(accounts);
    this.#connections++;
    const stream = await retrying(() => connectStream(this.#venue.as(account)));
    const follower = new Follower();
    stream.onMessage = (message) => follower.hear(message);
    this.#subscribers.push({ account, stream, follower });
    stream.subscribe("orders");
    stream.subscribe("wallets");
    for (const product of products) stream.subscribe("orderBook", { products: [product] });
    if (this.#random.next() < 0.5) {
      stream.send({ type: "subscribe", channels: ["trades", "ticker", "heartbeat"], products: ["BTC-USD"] });
      stream.subscribe("candles", { products: ["ETH-USD"], granularity: "ONE_MINUTE" });
    }
  }

  async #leave({ stream, follower }: Subscriber): Promise<void> {
    const { code } = await stream.close();
    if (code !== 1005) this.#faults.push(`closed with ${code}`);
    this.#faults.push(...follower.faults);
    this.#messages += follower.heard;
  }

  /** A read in the midst of everything: every local book must have been equal at that moment. */
  async #compareBook(product: string): Promise<void> {
    const reader = this.#venue.as(this.#random.pick(accounts));
    const { data } = await retrying(() => reader.get(`/order-book/${product}`, { query: "depth=100" }));
    const sequence = Number(data["bookSequence"]);
    await Promise.all(this.#subscribers.map(({ stream }) => stream.caughtUp().catch(() => undefined)));
    for (const { follower, account } of this.#subscribers) {
      const local = follower.books.get(product)?.history.get(sequence);
      if (local === undefined) continue;
      this.#booksCompared++;
      if (local !== bookChecksum(data))
        this.#faults.push(
          `${account} ${product} at ${sequence}: another book was read: ${JSON.stringify(data)}`,
        );
    }
  }

  async #compareAll(): Promise<void> {
    await Promise.all(this.#subscribers.map(({ stream }) => stream.caughtUp()));
    for (const product of products) await this.#compareLastBook(product);
    for (const account of accounts) await this.#compareAccount(account);
    for (const { follower } of this.#subscribers) this.#faults.push(...follower.faults.splice(0));
  }

  async #compareLastBook(product: string): Promise<void> {
    const reader = this.#venue.trader;
    const { data } = await retrying(() => reader.get(`/order-book/${product}`, { query: "depth=100" }));
    for (const { follower } of this.#subscribers) {
      const book = follower.books.get(product);
      this.#booksCompared++;
      if (book?.history.get(Number(data["bookSequence"])) !== bookChecksum(data))
        this.#faults.push(`${product}: a follower is at ${book?.sequence}, the read differs`);
    }
  }

  async #compareAccount(account: string): Promise<void> {
    const mine = this.#subscribers.filter((each) => each.account === account);
    if (mine.length === 0) return;
    const client = this.#venue.as(account);
    const wallets = (await retrying(() => client.get("/wallet"))).list;
    const records = new Map<string, JsonObject>();
    const { data } = await retrying(() => client.get("/order", { query: "limit=1000" }));
    for (const order of Array.isArray(data["items"]) ? data["items"].map(asObject) : [])
      records.set(String(order["id"]), order);
    for (const { follower } of mine) {
      for (const wallet of wallets)
        this.#same(
          `wallet ${String(wallet["asset"])}`,
          wallet,
          follower.wallets.get(String(wallet["asset"])),
        );
      for (const [id, { record }] of follower.orders) {
        const read = records.get(id);
        if (read !== undefined) this.#same(`order ${id}`, read, record);
      }
    }
  }

  #same(what: string, read: JsonObject, followed: JsonObject | undefined): void {
    this.#ordersCompared++;
    if (JSON.stringify(read) !== JSON.stringify(followed))
      this.#faults.push(`${what}: read ${JSON.stringify(read)}, followed ${JSON.stringify(followed)}`);
  }
}
