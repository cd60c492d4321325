/** The exam's own requests to the gateway, signed with a key of the client: another session of it. */
import { randomUUID } from "node:crypto";
import type { Kit } from "../control-access.ts";
import type { VenueOrder } from "./situation.ts";

export interface SessionAccess {
  readonly baseUrl: string;
  readonly keyId: string;
  readonly secret: string;
}

const contentType = "application/json";
const mostOrders = 200;

export class Session {
  readonly #access: SessionAccess;
  readonly #kit: Pick<Kit, "signRequest">;
  /** Milliseconds that the clock of the gateway is ahead, where a situation has put it so. */
  #ahead = 0;

  constructor(access: SessionAccess, kit: Pick<Kit, "signRequest">) {
    this.#access = access;
    this.#kit = kit;
  }

  async cancel({ id }: Pick<VenueOrder, "id">): Promise<void> {
    await this.#call("DELETE", `/order/${id}`);
  }

  /** The oldest first. */
  async orders(): Promise<readonly VenueOrder[]> {
    const page = await this.#call("GET", `/order?sort=ASC&limit=${mostOrders}`);
    return (page as { items: readonly VenueOrder[] }).items;
  }

  async #call(method: string, route: string): Promise<unknown> {
    const reply = await this.#send(method, route);
    if (reply.status !== 401) return dataOf(reply, route);
    this.#ahead = Date.parse(reply.headers.get("date") ?? "") - Date.now();
    return dataOf(await this.#send(method, route), route);
  }

  #send(method: string, route: string): Promise<Response> {
    const { baseUrl, keyId, secret } = this.#access;
    const { headers } = this.#kit.signRequest({
      keyId,
      secret,
      timestamp: String(Date.now() + this.#ahead),
      nonce: randomUUID(),
      method,
      path: new URL(baseUrl + route).pathname,
      contentType,
      body: Buffer.alloc(0),
    });
    return fetch(baseUrl + route, {
      method,
      headers: headers.map(([name, value]): [string, string] => [name, value]),
    });
  }
}

async function dataOf(reply: Response, route: string): Promise<unknown> {
  // as: the envelope of our own simulator.
  const { data, message } = (await reply.json()) as { readonly data?: unknown; readonly message?: string };
  if (!reply.ok) throw new Error(`${route}: ${reply.status} ${message}`);
  return data;
}
