/** A running simulator with its clients and controls, for black-box tests. */
import { randomUUID } from "node:crypto";
import { type Simulator, type SimulatorOptions, startSimulator } from "../index.ts";
import {
  asObject,
  Client,
  type Credentials,
  exchange,
  type Json,
  type JsonObject,
  type Reply,
  text,
} from "./client.ts";
import { quietWorld } from "./worlds.ts";

/** A world beside `main`. */
export interface OtherWorld {
  readonly name: string;
  readonly keys: readonly (Credentials & { readonly name: string })[];
}

export class Venue {
  readonly simulator: Simulator;
  /** Options of a test for `onNotice`. */
  readonly notices: string[];
  readonly #now: () => number;
  readonly #world: OtherWorld | null;

  constructor(simulator: Simulator, notices: string[], now: () => number, world: OtherWorld | null = null) {
    this.simulator = simulator;
    this.notices = notices;
    this.#now = now;
    this.#world = world;
  }

  get baseUrl(): string {
    return this.simulator.baseUrl;
  }

  /** A client that signs with the key of this name. */
  as(name: string): Client {
    const { keys } = this.#world ?? this.simulator;
    const key = keys.find((candidate) => candidate.name === name);
    if (key === undefined) throw new Error(`no key ${name}`);
    return new Client(this.baseUrl, key, this.#now);
  }

  get trader(): Client {
    return this.as("trader");
  }

  /** A control of the world; fails the test when it is refused. */
  async control(route: string, body: Json = {}, method = "POST"): Promise<JsonObject> {
    const latest = performance.now() + 20_000;
    let reply = await this.controlReply(route, body, method);
    // On a busy machine the signs of life of a node may be late, and the answer says what to do then.
    while (reply.text.includes("Nothing was done: send it again") && performance.now() < latest)
      reply = await this.controlReply(route, body, method);
    if (reply.status !== 200) throw new Error(`${method} ${route}: ${reply.text}`);
    return reply.data;
  }

  controlReply(route: string, body: Json = {}, method = "POST", token?: string): Promise<Reply> {
    const { control } = this.simulator;
    if (control === null) throw new Error("there is no control surface");
    const prefix = this.#world === null ? "" : `/worlds/${this.#world.name}`;
    const payload = method === "GET" ? "" : JSON.stringify(body);
    return exchange(control.url, {
      method,
      target: new URL(control.url).pathname + prefix + route,
      headers: {
        authorization: `Bearer ${token ?? control.token}`,
        ...(payload === ""
          ? {}
          : { "content-type": "application/json", "content-length": String(payload.length) }),
      },
      body: payload,
    });
  }

  /** An unsigned request below the prefix. */
  open(route: string, headers: Readonly<Record<string, string>> = {}, method = "GET"): Promise<Reply> {
    return exchange(this.baseUrl, {
      method,
      target: new URL(this.baseUrl).pathname + route,
      headers,
      body: "",
    });
  }

  async advance(ms: number): Promise<void> {
    await this.control("/clock", { advanceMs: ms });
  }

  /** Past matching, confirming and syncing. */
  settle(): Promise<void> {
    return this.advance(1000);
  }

  /** Lays the synthetic market: levels as `["SELL", price, quantity]`. */
  async book(product: string, levels: readonly (readonly ["BUY" | "SELL", string, string])[]): Promise<void> {
    const laid = levels.map(([side, price, quantity]) => ({ side, price, quantity }));
    await this.control(`/products/${product}/book`, { levels: laid });
  }

  print(product: string, price: string, quantity = "0.01"): Promise<JsonObject> {
    return this.control(`/products/${product}/trades`, { price, quantity });
  }

  /** The order as `GET /order/{id}` shows it now. */
  async order(id: string, key = "trader"): Promise<JsonObject> {
    const reply = await this.as(key).get(`/order/${id}`);
    if (reply.status !== 200) throw new Error(reply.text);
    return reply.data;
  }

  /** Places an order that must be accepted, and gives the record of the answer. */
  async placed(order: JsonObject, key = "trader"): Promise<JsonObject> {
    const reply = await this.as(key).place(order);
    if (reply.data["type"] !== "NEW_ORDER") throw new Error(`not a new order: ${reply.text}`);
    return asObject(reply.data["order"]);
  }

  /** Balance, hold and what is left, as `GET /wallet` shows them. */
  async wallet(asset: string, key = "trader"): Promise<JsonObject> {
    const reply = await this.as(key).get("/wallet", { query: `asset=${asset}` });
    return asObject(reply.list[0]);
  }

  async hold(asset: string, key = "trader"): Promise<string> {
    return text(await this.wallet(asset, key), "hold");
  }

  close(): Promise<void> {
    return this.simulator.close();
  }
}

/** By default the market clock is manual and no synthetic market disturbs. */
export async function startVenue(options: SimulatorOptions = {}): Promise<Venue> {
  const notices: string[] = [];
  const simulator = await startSimulator({
    clock: "manual",
    world: quietWorld(),
    onNotice: (sentence) => notices.push(sentence),
    onStopped: (sentence) => notices.push(sentence),
    ...options,
  });
  return new Venue(simulator, notices, options.authClock ?? Date.now);
}

/** A venue for one test. */
export async function withVenue<T>(
  options: SimulatorOptions,
  work: (venue: Venue) => Promise<T>,
): Promise<T> {
  const venue = await startVenue(options);
  try {
    return await work(venue);
  } finally {
    await venue.close();
  }
}

export const uuid = (): string => randomUUID();

/** An id whose first group is reserved, or any other. */
export const uuidFrom = (firstGroup: string): string => firstGroup + randomUUID().slice(8);

const order = (fields: JsonObject, more: JsonObject): JsonObject => ({
  product: "BTC-USD",
  client_order_id: uuid(),
  ...fields,
  ...more,
});

/** A LIMIT order that rests far from any market. */
export const limitBuy = (more: JsonObject = {}): JsonObject =>
  order({ side: "BUY", type: "LIMIT", base_quantity: "0.01", price: "30000" }, more);

export const limitSell = (more: JsonObject = {}): JsonObject =>
  order({ side: "SELL", type: "LIMIT", base_quantity: "0.01", price: "90000" }, more);

export const marketBuy = (more: JsonObject = {}): JsonObject =>
  order({ side: "BUY", type: "MARKET", quote_value: "1000" }, more);

export const marketSell = (more: JsonObject = {}): JsonObject =>
  order({ side: "SELL", type: "MARKET", base_quantity: "0.01" }, more);

export const stopBuy = (more: JsonObject = {}): JsonObject =>
  order(
    { side: "BUY", type: "STOP_LIMIT", base_quantity: "0.01", price: "70000", stop_price: "65000" },
    more,
  );

export const stopSell = (more: JsonObject = {}): JsonObject =>
  order(
    { side: "SELL", type: "STOP_LIMIT", base_quantity: "0.01", price: "50000", stop_price: "55000" },
    more,
  );

/** `type` and `status` of an answer, and what else counts: for one comparison. */
export const outcomeOf = (reply: Reply): string =>
  reply.status === 200 ? text(reply.data, "type") : `${reply.status} ${reply.code}`;
