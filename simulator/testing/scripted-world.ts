/**
 * A world that plays a script: data that says what to send. Ids and nonces count up, and its forks count on, so that worlds
 * that play the same steps from the same state get the same requests.
 */
import {
  asObject,
  Client,
  type Credentials,
  type Json,
  type JsonObject,
  listIn,
  type Reply,
} from "./client.ts";
import type { Venue } from "./venue.ts";

export type Step =
  /** `idGroup`: the first group of its `client_order_id`, if it is a reserved one. */
  | {
      readonly kind: "place";
      readonly key: string;
      readonly order: JsonObject;
      readonly idGroup?: string | undefined;
    }
  /** `which`: of the orders that the script has placed so far. */
  | { readonly kind: "cancel"; readonly key: string; readonly which: number }
  | { readonly kind: "act"; readonly action: string; readonly which: number; readonly body?: Json }
  | { readonly kind: "read"; readonly key: string; readonly path: string }
  | { readonly kind: "control"; readonly method: string; readonly path: string; readonly body: Json };

export class ScriptedWorld {
  readonly name: string;
  readonly #venue: Venue;
  readonly #keys: ReadonlyMap<string, Credentials>;
  readonly #now: () => number;
  /** Ids of the orders placed so far. */
  readonly #ids: string[];
  #count: number;

  constructor(venue: Venue, view: JsonObject, now: () => number, like?: ScriptedWorld) {
    this.name = String(view["name"]);
    this.#venue = venue;
    this.#now = now;
    this.#keys = new Map(
      listIn(view["keys"]).map(({ name, keyId, secret }) => [
        String(name),
        { keyId: String(keyId), secret: String(secret) },
      ]),
    );
    this.#ids = [...(like === undefined ? [] : like.#ids)];
    this.#count = like === undefined ? 0 : like.#count;
  }

  static async make(venue: Venue, body: JsonObject, now: () => number): Promise<ScriptedWorld> {
    return new ScriptedWorld(venue, await venue.control("/worlds", body), now);
  }

  static async main(venue: Venue, now: () => number): Promise<ScriptedWorld> {
    return new ScriptedWorld(venue, await venue.control("/worlds/main", {}, "GET"), now);
  }

  async fork(name: string, entry?: number): Promise<ScriptedWorld> {
    const body = entry === undefined ? { name } : { name, entry };
    const view = await this.#venue.control(`/worlds/${this.name}/fork`, body);
    return new ScriptedWorld(this.#venue, view, this.#now, this);
  }

  /** The number of its last entry, and the chain hash there. */
  async head(): Promise<string> {
    const { seq, hash } = await this.#venue.control(`/worlds/${this.name}`, {}, "GET");
    return `${String(seq)} ${String(hash)}`;
  }

  /** Status and body of the answer, without the name of the world and the id of the request, which counts in the whole process. */
  async play(step: Step): Promise<string> {
    try {
      const { status, text } = await this.#send(step);
      return `${status} ${text.replace(/"requestId":"[^"]*"/, "").replaceAll(`/worlds/${this.name}/`, "/")}`;
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ECONNRESET") return "no answer";
      throw error;
    }
  }

  delete(): Promise<unknown> {
    return this.#venue.control(`/worlds/${this.name}`, {}, "DELETE");
  }

  async #send(step: Step): Promise<Reply> {
    this.#count++;
    switch (step.kind) {
      case "place": {
        const order = { ...step.order, client_order_id: this.#uuid(step.idGroup) };
        const reply = await this.#client(step.key).place(order, this.#signed());
        const { id } = asObject(reply.data["order"]);
        if (typeof id === "string") this.#ids.push(id);
        return reply;
      }
      case "cancel":
        return this.#client(step.key).delete(`/order/${this.#idOf(step.which)}`, this.#signed());
      case "read":
        return this.#client(step.key).get(step.path, this.#signed());
      case "act":
        return this.#control("POST", `/orders/${this.#idOf(step.which)}/${step.action}`, step.body ?? {});
      case "control":
        return this.#control(step.method, step.path, step.body);
    }
  }

  #control(method: string, path: string, body: Json): Promise<Reply> {
    return this.#venue.controlReply(`/worlds/${this.name}${path}`, body, method);
  }

  #client(key: string): Client {
    const credentials = this.#keys.get(key);
    if (credentials === undefined) throw new Error(`no key ${key}`);
    return new Client(this.#venue.baseUrl, credentials, this.#now);
  }

  #signed(): { readonly sign: { readonly nonce: string } } {
    return { sign: { nonce: this.#uuid() } };
  }

  #uuid(group = "5c417ed0"): string {
    return `${group}-0000-4000-8000-${String(this.#count).padStart(12, "0")}`;
  }

  #idOf(which: number): string {
    return this.#ids[which % this.#ids.length] ?? "5c417ed0-0000-4000-8000-000000000000";
  }
}
