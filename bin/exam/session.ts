/** The exam's own requests to the gateway, signed with a key of the client: another session of it. */
import { randomUUID } from "node:crypto";
import * as kit from "../../conformance/commands.ts";
import type { Book } from "./evidence.ts";
import type { OrderBody, VenueOrder } from "./situation.ts";

export interface SessionAccess {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
}

const contentType = "application/json";
const mostOrders = 200;

export class Session {
  readonly #access: SessionAccess;
  /** Milliseconds that the clock of the gateway is ahead, where a situation has put it so. */
  #ahead = 0;

  constructor(access: SessionAccess) {
    this.#access = access;
  }

  async place(body: OrderBody): Promise<VenueOrder> {
    const placed = await this.#call("POST", "/order", { ...body, client_order_id: randomUUID() });
    return (placed as { order: VenueOrder }).order;
  }

  async cancel({ id }: Pick<VenueOrder, "id">): Promise<void> {
    await this.#call("DELETE", `/order/${id}`);
  }

  /** The oldest first. */
  async orders(): Promise<readonly VenueOrder[]> {
    const page = await this.#call("GET", `/order?sort=ASC&limit=${mostOrders}`);
    return (page as { items: readonly VenueOrder[] }).items;
  }

  async book(product: string): Promise<Book> {
    return (await this.#call("GET", `/order-book/${product}?depth=100`)) as Book;
  }

  async #call(method: string, route: string, body?: object): Promise<unknown> {
    const sent = body === undefined ? "" : JSON.stringify(body);
    const reply = await this.#send(method, route, sent);
    if (reply.status !== 401) return dataOf(reply, route);
    this.#ahead = Date.parse(reply.headers.get("date") ?? "") - Date.now();
    return dataOf(await this.#send(method, route, sent), route);
  }

  #send(method: string, route: string, sent: string): Promise<Response> {
    const { baseUrl, keyId, secret } = this.#access;
    const { headers } = kit.signRequest({
      keyId,
      secret,
      timestamp: String(Date.now() + this.#ahead),
      nonce: randomUUID(),
      method,
      path: new URL(baseUrl + route).pathname,
      contentType,
      body: Buffer.from(sent),
    });
    return fetch(baseUrl + route, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
      body: sent === "" ? null : sent,
    });
  }
}

async function dataOf(reply: Response, route: string): Promise<unknown> {
  // as: the envelope of our own simulator.
  const { data, message } = (await reply.json()) as { readonly data?: unknown; readonly message?: string };
  if (!reply.ok) throw new Error(`${route}: ${reply.status} ${message}`);
  return data;
}
