import { createHash, createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { Agent, request } from "node:http";
import { WebSocket } from "ws";
import type { Gateway } from "./gateway.ts";
import { keys, type Role } from "./world.ts";

type Json = Record<string, unknown>;

/** The possible changes of a signature. */
interface Signing {
  readonly nonce?: string;
  readonly keyId?: string;
  readonly secret?: string;
  readonly timestamp?: number;
  /** The values that are signed in place of those that are sent. */
  readonly signedTimestamp?: number;
  readonly method?: string;
  readonly path?: string;
  readonly body?: string;
  readonly spoil?: (signature: string) => string;
  /** On a connection of its own. */
  readonly apart?: boolean;
  /** What is sent in place of the body. */
  readonly bytes?: Buffer;
  readonly hash?: string;
  /** A header that is not sent; its value is signed as an empty one. */
  readonly without?: "x-api-timestamp";
  /** In chunks, without a length. */
  readonly chunked?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly success: unknown;
  readonly message: unknown;
  readonly data: Json;
  /** `data` of a list. */
  readonly list: readonly Json[];
  /** `data.order` of a placement, or the order that `data` is. */
  readonly order: Json;
}

const prefix = "/api/v1/trading";
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** A client of the gateway with one key, who can sign wrongly. */
export class Caller {
  readonly #gateway: Gateway;
  readonly #role: Role;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly feeds: Feed[] = [];

  constructor(gateway: Gateway, role: Role) {
    this.#gateway = gateway;
    this.#role = role;
  }

  close(): void {
    this.#agent.destroy();
    for (const feed of this.feeds) feed.socket.terminate();
  }

  headers(method: string, path: string, body: string, signing: Signing): Record<string, string> {
    const key = keys[this.#role];
    const timestamp = String(signing.timestamp ?? Date.now());
    const nonce = signing.nonce ?? randomUUID();
    const text = [
      signing.without === undefined ? String(signing.signedTimestamp ?? timestamp) : "",
      nonce,
      signing.method ?? method,
      prefix + (signing.path ?? path),
      "application/json",
      sha256(signing.body ?? body),
    ].join("\n");
    const signature = createHmac(signing.hash ?? "sha256", signing.secret ?? key.secret)
      .update(text)
      .digest("hex");
    return {
      "x-api-key": signing.keyId ?? key.id,
      ...(signing.without === undefined && { "x-api-timestamp": timestamp }),
      "x-api-nonce": nonce,
      "x-api-signature": signing.spoil?.(signature) ?? signature,
      "content-type": "application/json",
    };
  }

  async call(method: string, path: string, body = "", signing: Signing = {}): Promise<Reply> {
    const [host, port] = this.#gateway.origin.split(":");
    const sent = request({
      host,
      port,
      method,
      path: prefix + path,
      headers: {
        ...this.headers(method, path, body, signing),
        ...(signing.chunked === true && { "transfer-encoding": "chunked" }),
      },
      agent: signing.apart === true ? false : this.#agent,
    });
    if (signing.chunked === true) sent.write(body);
    sent.end(signing.chunked === true ? "" : (signing.bytes ?? body));
    const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
    const {
      success,
      message,
      data = {},
    } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as {
      success: unknown;
      message: unknown;
      data?: Json;
    };
    return {
      status: response.statusCode ?? 0,
      success,
      message,
      data,
      list: Array.isArray(data) ? (data as Json[]) : ((data["items"] as Json[] | undefined) ?? []),
      order: (data["order"] as Json | undefined) ?? data,
    };
  }

  /** A LIMIT BUY that rests, but for what is said. */
  body(other: Json = {}): Json {
    return {
      side: "BUY",
      type: "LIMIT",
      product: "BTC-USD",
      base_quantity: "0.001",
      price: "30000",
      client_order_id: randomUUID(),
      ...other,
    };
  }

  place(other: Json = {}, signing: Signing = {}): Promise<Reply> {
    return this.call("POST", "/order", JSON.stringify(this.body(other)), signing);
  }

  sell(price: string, quantity: string, other: Json = {}): Promise<Reply> {
    return this.place({ side: "SELL", price, base_quantity: quantity, ...other });
  }

  buy(price: string, quantity: string, other: Json = {}): Promise<Reply> {
    return this.place({ price, base_quantity: quantity, ...other });
  }

  /** The same request again, with a signature of its own. */
  again(body: Json, signing: Signing = {}): Promise<Reply> {
    return this.call("POST", "/order", JSON.stringify(body), signing);
  }

  cancel({ order }: Reply, signing: Signing = {}): Promise<Reply> {
    return this.call("PUT", `/orders/${String(order["id"])}/cancel`, "", signing);
  }

  async read({ order }: Reply): Promise<Reply> {
    return this.call("GET", `/orders/${String(order["id"])}`);
  }

  get(path: string, signing: Signing = {}): Promise<Reply> {
    return this.call("GET", path, "", signing);
  }

  async wallet(asset: string): Promise<Json> {
    const { list } = await this.get("/wallets");
    return list.find((wallet) => wallet["asset"] === asset) ?? {};
  }

  /** An open stream, or nothing where the handshake is refused. */
  async feed(signing: Signing = {}): Promise<Feed | undefined> {
    const socket = new WebSocket(`ws://${this.#gateway.origin}${prefix}/feed`, {
      headers: this.headers("GET", "/feed", "", signing),
    });
    const messages: Json[] = [];
    socket.on("message", (data: Buffer) => messages.push(JSON.parse(data.toString("utf8")) as Json));
    const opened = await new Promise<boolean>((resolve) => {
      socket.once("open", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    if (!opened) return undefined;
    const feed = new Feed(socket, messages);
    this.feeds.push(feed);
    return feed;
  }

  /** A stream of this client's orders. */
  async ownFeed(): Promise<Feed> {
    const feed = await this.feed();
    if (feed === undefined) throw new Error("the stream did not open");
    await feed.join("own-orders");
    return feed;
  }
}

export class Feed {
  readonly socket: WebSocket;
  readonly messages: Json[];
  constructor(socket: WebSocket, messages: Json[]) {
    this.socket = socket;
    this.messages = messages;
  }

  join(topic: string, pairs?: readonly string[]): Promise<void> {
    return this.ask("join", topic, pairs);
  }

  async ask(op: "join" | "leave", topic: string, pairs?: readonly string[]): Promise<void> {
    const ref = randomUUID();
    this.socket.send(JSON.stringify({ op, topic, pairs, ref }));
    while (!this.messages.some((message) => message["ref"] === ref)) await once(this.socket, "message");
  }

  /** The orders that were told so far: messages keep their order, so the answer to a question comes last. */
  async heard(): Promise<Json[]> {
    await this.join("depth", ["LTC-BTC"]);
    return this.messages.filter(({ kind }) => kind === "order").map((message) => message["order"] as Json);
  }
}
