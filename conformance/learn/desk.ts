import { randomUUID } from "node:crypto";
import { objectsIn } from "../check/pointer.ts";
import type { RequestPlan } from "../client/prepare.ts";
import type { Exchange } from "../model/exchange.ts";
import type { JsonObject } from "../model/json.ts";
import type { Operation } from "../model/profile.ts";
import type { Market } from "../runner/prepare/market.ts";
import type { Session } from "../runner/session.ts";
import { noHeaderEdits, plainPlan, type SignPlan } from "../signing/tamper.ts";
import type { Sample } from "./sighting.ts";

/** The possible differences from a plain request of the trader. */
export interface Change {
  /** `undefined`: without credentials. */
  readonly role?: string | undefined;
  readonly sign?: Partial<SignPlan>;
  readonly contentType?: string;
  readonly clockOffsetMs?: number;
}

/** The fields of an order; `undefined` leaves a field out. */
export type OrderChange = Readonly<Record<string, string | undefined>>;

export interface Placed extends Sample {
  readonly clientOrderId: string;
}

export const broken: Change = { sign: { transform: ["flipBit(0)"] } };
export const without = (header: string): Change => ({
  sign: { headers: { ...noHeaderEdits, omit: [header] } },
});

/**
 * Where probes send from: every request goes through the session, so all guards of a run apply. An order is the smallest
 * of the profile at a price that does not trade.
 */
export class LearnDesk {
  readonly session: Session;
  readonly #market: Market;
  readonly #caseId: string;
  readonly #samples: Map<string, Sample>;

  constructor(session: Session, market: Market, probe: string, samples: Map<string, Sample>) {
    this.session = session;
    this.#market = market;
    this.#caseId = `learn-${probe}`;
    this.#samples = samples;
  }

  get caseId(): string {
    return this.#caseId;
  }

  keep(name: string, sample: Sample): void {
    this.#samples.set(name, sample);
  }

  /** Another role whose key belongs to the same client, or to another one, and may do this. */
  roleOf(kind: "same client" | "another client", claim: string): string | undefined {
    const { credentials } = this.session.profile;
    const own = this.session.credential("trader");
    const fits = Object.values(credentials).find(
      ({ role, client, claims }) =>
        role !== "trader" &&
        !["orphan", "revoked", "none"].includes(role) &&
        client !== "none" &&
        claims.includes(claim) &&
        (client === own.client) === (kind === "same client"),
    );
    return fits?.role;
  }

  async get(name: string, path: string, change: Change = {}): Promise<Sample> {
    const exchange = await this.#send({ method: "GET", path, body: "" }, change);
    const sample = { exchange };
    this.keep(name, sample);
    return sample;
  }

  open(name: string, change: Change = {}): Promise<Sample> {
    return this.get(name, this.session.operation("openOrders").path, change);
  }

  /** A body that is no order, sent to where orders go. */
  async post(name: string, body: string, change: Change = {}): Promise<Sample> {
    const exchange = await this.#send({ method: "POST", path: "/order", body }, change);
    const sample = { exchange };
    this.keep(name, sample);
    return sample;
  }

  product(): string {
    return this.#market.product("tradable");
  }

  far(side: "BUY" | "SELL"): string {
    return String(this.#market.generate("$price", { side, away: "far", product: this.product() }, false));
  }

  quantity(): string {
    return String(this.#market.generate("$qty", { size: "typical", product: this.product() }, false));
  }

  /** `asNumber`: these fields are JSON numbers. */
  async place(
    name: string,
    fields: OrderChange = {},
    change: Change & { readonly asNumber?: string } = {},
  ): Promise<Placed> {
    const order: OrderChange = {
      side: "BUY",
      type: "LIMIT",
      product: this.product(),
      base_quantity: this.quantity(),
      price: this.far("BUY"),
      client_order_id: randomUUID(),
      ...fields,
    };
    const written = JSON.stringify(order);
    const { asNumber } = change;
    const body =
      asNumber === undefined
        ? written
        : written.replace(`"${asNumber}":"${order[asNumber]}"`, `"${asNumber}":${order[asNumber]}`);
    const exchange = await this.#send({ method: "POST", path: "/order", body }, change);
    const clientOrderId = order["client_order_id"] ?? "";
    const sample = { ...withOrder(exchange, clientOrderId), clientOrderId };
    this.keep(name, sample);
    return sample;
  }

  /** An operation of the profile on one order. */
  async onOrder(name: string, operation: string, order: JsonObject, change: Change = {}): Promise<Sample> {
    const { method, path }: Operation = this.session.operation(operation);
    const target = path.replace("{id}", encodeURIComponent(String(order.get("id"))));
    const exchange = await this.#send({ method, path: target, body: "", operation }, change);
    const sample = withOrder(exchange, String(order.get("clientOrderId")));
    this.keep(name, sample);
    return sample;
  }

  async listed(name: string, clientOrderId: string): Promise<Sample> {
    const { path } = this.session.operation("openOrders");
    const exchange = await this.#send({ method: "GET", path, body: "" }, {});
    const sample = withOrder(exchange, clientOrderId);
    this.keep(name, sample);
    return sample;
  }

  #send(
    request: {
      readonly method: string;
      readonly path: string;
      readonly body: string;
      readonly operation?: string;
    },
    change: Change,
  ): Promise<Exchange> {
    const { session } = this;
    const role = "role" in change ? change.role : "trader";
    const plan: RequestPlan = {
      method: request.method,
      target: session.parts.target.basePath + request.path,
      ...(request.operation === undefined ? {} : { operation: request.operation }),
      headers: [],
      body: Buffer.from(request.body, "utf8"),
      role: role ?? "anonymous",
      ...(role === undefined ? {} : { credential: session.credential(role) }),
      permit: { caseId: this.#caseId, safety: "rests", malformed: false },
      sign: { ...plainPlan, ...change.sign },
      mutation: change.contentType === undefined ? {} : { contentType: change.contentType },
      clockOffsetMs: change.clockOffsetMs ?? 0,
    };
    return session.ask(() => session.prepare(plan));
  }
}

function withOrder(exchange: Exchange, clientOrderId: string): Sample {
  const wanted = clientOrderId.toLowerCase();
  const isOurs = (object: JsonObject): boolean => {
    const id = object.get("clientOrderId");
    return typeof id === "string" && id.toLowerCase() === wanted;
  };
  const [[, order] = []] = objectsIn(exchange.json, isOurs, { most: 1 });
  return order === undefined ? { exchange } : { exchange, order };
}
