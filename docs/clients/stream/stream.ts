/**
 * The gateway's stream, through as many connections as it takes. There is no resuming: after a disconnect everything is
 * subscribed again, and the snapshots are the recovery. Messages are numbered from 1 on each connection, so a hole in
 * the numbers shows that something is lost; three seconds without even a heartbeat show that the connection is dead.
 */
import { EventEmitter, once } from "node:events";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import type { Gateway } from "./gateway.ts";
import { type BookData, LocalBook } from "./local-book.ts";
import { type Order, OwnOrders } from "./own-orders.ts";

type Message = { sequence: number; timestamp: string } & (
  | { type: "snapshot" | "update"; channel: "orderBook"; data: BookData }
  | { type: "snapshot"; channel: "orders"; data: { orders: Order[]; final: boolean } }
  | { type: "update"; channel: "orders"; data: { revision: number; order: Order } }
  | { type: "heartbeat"; channel: "heartbeat" }
  | { type: "error"; channel?: never; code: string; message: string }
  | { type: "subscriptions" | "pong"; channel?: never }
);

interface OrderPage {
  items: Order[];
  pagination: { hasNext: boolean; nextCursor: string | null };
}

const silenceMs = 3000;
const longestPauseMs = 5000;
/** Errors that another connection, after a pause, may not meet. */
const passing = ["SLOW_CONSUMER", "RATE_LIMITED", "NOT_READY"];

/** Emits `change` after every message, `note` with a sentence, and `error` where connecting again is of no use. */
export class Stream extends EventEmitter {
  readonly book = new LocalBook();
  readonly orders = new OwnOrders();
  readonly #gateway: Gateway;
  readonly #product: string;
  #socket: WebSocket | undefined;
  #run: symbol | undefined;
  #received = 0;
  #openOrders: Order[] = [];
  /** Nothing is missing until this time of the gateway, and what comes later may be, as long as there is a recovery. */
  #completeTo: string | undefined;
  #recovery: symbol | undefined;

  constructor(gateway: Gateway, product: string) {
    super();
    this.#gateway = gateway;
    this.#product = product;
  }

  async connect(): Promise<void> {
    const run = Symbol();
    this.#run = run;
    for (let failures = 0; this.#run === run; failures += 1) {
      const { reason, worked } = await this.#session();
      if (this.#run !== run) return;
      if (worked) failures = 0;
      const pause = Math.min(100 * 2 ** failures, longestPauseMs) * (0.5 + Math.random() / 2); // not all at once
      this.emit("note", `disconnected (${reason}), connecting again in ${Math.round(pause)} ms`);
      await sleep(pause);
    }
  }

  /** Both the book and the orders are as the gateway has told them last, and nothing is asked for. */
  knowsAll(): boolean {
    return this.book.sequence !== undefined && this.#recovery === undefined;
  }

  disconnect(): void {
    this.#run = undefined;
    this.#socket?.terminate();
  }

  async until(condition: () => boolean, timeoutMs = 20_000): Promise<void> {
    const signal = AbortSignal.timeout(timeoutMs);
    while (!condition()) await once(this, "change", { signal });
  }

  /** One connection, from its handshake to its end. */
  #session(): Promise<{ reason: string; worked: boolean }> {
    this.#received = 0;
    this.#openOrders = [];
    this.#recovery = Symbol();
    const url = `${this.#gateway.baseUrl.replace(/^http/, "ws")}/ws`;
    const headers = this.#gateway.headers("GET", "/ws");
    const socket = new WebSocket(url, { headers, handshakeTimeout: longestPauseMs });
    this.#socket = socket;
    let silence: NodeJS.Timeout | undefined;
    let reason = "";
    socket.on("open", () => {
      silence = setTimeout(() => socket.terminate(), silenceMs);
      this.#subscribe("heartbeat", "orders", "orderBook");
    });
    socket.on("message", (data: Buffer) => {
      if (socket !== this.#socket) return; // the last words of an earlier connection
      silence?.refresh();
      this.#receive(JSON.parse(data.toString()) as Message);
      this.emit("change");
    });
    socket.on("unexpected-response", (_request, response) => {
      const { statusCode = 0 } = response;
      const retry = statusCode === 429 || statusCode >= 500; // but a 401 stays one
      void text(response).then(
        (body) => (retry ? socket.terminate() : this.#giveUp(`handshake: ${statusCode} ${body}`)),
        () => socket.terminate(),
      );
    });
    socket.on("error", (error) => (reason ||= error.message));
    return new Promise((resolve) => {
      socket.on("close", (code) => {
        clearTimeout(silence);
        if (socket === this.#socket) this.book.sequence = undefined;
        resolve({ reason: reason || `code ${code}`, worked: this.#received > 0 });
      });
    });
  }

  #subscribe(...channels: string[]): void {
    for (const channel of channels) {
      const products = channel === "orderBook" ? { products: [this.#product] } : {};
      this.#socket?.send(JSON.stringify({ type: "subscribe", channel, ...products }));
    }
  }

  #receive(message: Message): void {
    if (message.sequence <= this.#received) return; // an echo, or a latecomer that was asked for again already
    if (message.sequence > this.#received + 1) this.#askAgain("a message is missing", "orders", "orderBook");
    this.#received = message.sequence;
    if (this.#completeTo === undefined || this.#recovery === undefined) this.#completeTo = message.timestamp;
    if (message.type === "error") {
      if (!passing.includes(message.code)) return this.#giveUp(`${message.code}: ${message.message}`);
      this.#socket?.terminate();
    }
    if (message.channel === "orderBook" && message.type === "snapshot") this.book.snapshot(message.data);
    if (message.channel === "orderBook" && message.type === "update" && !this.book.update(message.data))
      this.#askAgain("the book has a gap", "orderBook");
    if (message.channel === "orders" && message.type === "snapshot") this.#catchUp(message.data);
    if (message.channel === "orders" && message.type === "update")
      this.orders.event(message.data.order, message.data.revision);
  }

  /** A second subscription brings a new snapshot. */
  #askAgain(why: string, ...channels: string[]): void {
    this.emit("note", `${why}: asking for a new snapshot`);
    this.book.sequence = undefined;
    if (channels.includes("orders")) this.#recovery = Symbol();
    this.#subscribe(...channels);
  }

  #catchUp({ orders, final }: { orders: Order[]; final: boolean }): void {
    this.#openOrders.push(...orders);
    if (!final) return;
    const recovery = this.#recovery;
    this.#readEnded(this.orders.snapshot(this.#openOrders.splice(0))).then(
      () => {
        if (this.#recovery === recovery) this.#recovery = undefined;
        this.emit("change");
      },
      () => this.#socket?.terminate(), // the next connection asks again
    );
  }

  /**
   * Orders that ended while nobody listened are in no snapshot: those that were known are read one by one, and the list
   * has those that came and ended in between.
   */
  async #readEnded(known: Order[]): Promise<void> {
    for (const { id, clientOrderId } of known)
      await this.orders.ask(clientOrderId, () => this.#gateway.call<Order>("GET", `/order/${id}`));
    const query = new URLSearchParams({ startTime: this.#completeTo ?? "", sort: "ASC", limit: "100" });
    for (let hasNext = true; hasNext; ) {
      const page = await this.#gateway.call<OrderPage>("GET", `/order?${query.toString()}`);
      for (const order of page.items) this.orders.listed(order);
      ({ hasNext } = page.pagination);
      query.set("cursor", page.pagination.nextCursor ?? "");
    }
  }

  #giveUp(reason: string): void {
    this.disconnect();
    this.emit("error", new Error(reason));
  }
}
