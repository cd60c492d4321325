import { failedOutcomes } from "../contract/fields.ts";
import { type Exchange, isSuccess } from "../model/exchange.ts";
import type { JsonObject } from "../model/json.ts";
import { changed, type How, longestWord, whatIsKept } from "./kept-fields.ts";
import { readJson } from "./lossless-json.ts";
import type { CitedDifference } from "./order-relations.ts";
import { orderRequest, ordersIn, textField } from "./orders-in-reply.ts";
import { resolvePointer } from "./pointer.ts";

/**
 * The orders that a run has seen, and the facts that must not change: an order keeps its id, its owner and its
 * requested values in every answer and for every client; one client_order_id of one key is one order; a refused order
 * appears nowhere; an order of one client is not shown to another. Null and missing fields are not compared.
 *
 * Known limit: a market order may fill in values that its request left open, so its amounts are not compared.
 */
export interface OrderContext {
  /** The client of the key that sent the request; undefined if the profile does not name it. */
  readonly client: string | undefined;
  /** Is an order with this client_order_id being placed, or open? */
  readonly underWay: (clientOrderId: string) => boolean;
}

export const memoryClauses = [
  "ORD-38",
  "ORD-39",
  "ORD-59",
  "OWN-01",
  "OWN-02",
  "PLC-12",
  "PLC-34",
  "AUTH-39",
] as const;

interface Known {
  /** Only the facts that must not change: the answer itself is not kept after it was judged. */
  readonly order: JsonObject;
  /** The client that placed it; undefined if the order was only read. */
  readonly client: string | undefined;
  /** Has only a message shown it so far? The data of an answer has priority. */
  readonly isHeard: boolean;
}

export class OrderMemory {
  readonly #byId = new Map<string, Known>();
  /** The id of the order that a role placed under a client_order_id. */
  readonly #placed = new Map<string, string>();
  /** Ids of placed orders, so that none of them is taken for a wrong id of another order. */
  readonly #made = new Set<string>();
  readonly #owners = new Map<string, string>();
  /** client_order_ids that may have an order, because an answer was not a refusal. */
  readonly #taken = new Set<string>();
  readonly #refused = new Map<string, number>();
  /** An id that failed once may belong to a second order. */
  readonly #failed = new Set<string>();

  read(exchange: Exchange, context: OrderContext): CitedDifference[] {
    const asked = keyOf(exchange);
    const how = howOf(exchange, asked);
    const differences = (isSuccess(exchange) ? ordersIn(exchange) : []).flatMap(({ pointer, order }) => [
      ...(how === "new" ? [] : this.#refusedOrder(order, pointer, context)),
      ...(how === "replay" && asked !== undefined ? otherOrder(order, pointer, asked) : []),
      ...this.#identity(order, pointer, context, exchange.request, how),
    ]);
    if (asked !== undefined) this.#note(exchange, asked);
    return differences;
  }

  /**
   * Reads the orders of a message; the result judges them, once the answers have been read that were still to come
   * (Placements).
   */
  hear(orders: readonly JsonObject[], { request }: Exchange, context: OrderContext): () => CitedDifference[] {
    const pointer = "event/order";
    const heard = orders.map((order) => ({ order, refused: this.#refusedOrder(order, pointer, context) }));
    return () =>
      heard.flatMap(({ order, refused }) => [
        ...(this.#made.has(textField(order, "id") ?? "") ? [] : refused),
        ...this.#identity(order, pointer, context, request, "heard"),
      ]);
  }

  /** Notes that a busy answer may hide an order. No rule judges such an answer. */
  mayHold(exchange: Exchange): void {
    const asked = keyOf(exchange);
    if (asked !== undefined) this.#note(exchange, asked);
  }

  /** An order is shown although every request for it was refused. */
  #refusedOrder(order: JsonObject, pointer: string, { underWay }: OrderContext): CitedDifference[] {
    const key = textField(order, "clientOrderId")?.toLowerCase();
    const status = key === undefined ? undefined : this.#refused.get(key);
    if (key === undefined || status === undefined || this.#taken.has(key) || underWay(key)) return [];
    const clause = status === 401 ? "AUTH-39" : status === 403 ? "CLM-01" : "PLC-34";
    const expected = `no order: the request for it was answered ${status}`;
    return [{ pointer: `${pointer}/clientOrderId`, expected, actual: key, clause }];
  }

  #identity(
    order: JsonObject,
    pointer: string,
    { client }: OrderContext,
    { role, operation }: Exchange["request"],
    how: How,
  ): CitedDifference[] {
    const id = textField(order, "id");
    const key = textField(order, "clientOrderId")?.toLowerCase();
    if (id === undefined || id === "" || key === undefined) return [];
    const known = this.#byId.get(id);
    // An id may be unique per key, per client or globally (AS-12).
    const name = `${role} ${key}`;
    const isMade = how !== "new" && this.#made.has(id);
    const idsMayDiffer = how === "replay" || this.#failed.has(key) || isMade;
    const differences = [
      ...this.#ownership(order, known, pointer, client, othersOrder(how, operation)),
      ...(known === undefined ? [] : changed(known.order, order, pointer, known.isHeard ? "heard" : how)),
      ...(idsMayDiffer ? [] : sameId(this.#placed.get(name), id, pointer, how)),
    ];
    if (known === undefined || (known.isHeard && how !== "heard"))
      this.#remember(id, order, how === "new" ? client : undefined, how === "heard");
    else if (how === "new") this.#byId.set(id, { ...known, client });
    if (how === "new") {
      this.#made.add(id);
      if (!this.#placed.has(name)) this.#placed.set(name, id);
    }
    return differences;
  }

  #remember(id: string, order: JsonObject, client: string | undefined, isHeard: boolean): void {
    if (this.#byId.size < mostOrders && id.length <= longestWord)
      this.#byId.set(id, { order: whatIsKept(order), client, isHeard });
  }

  #ownership(
    order: JsonObject,
    known: Known | undefined,
    pointer: string,
    client: string | undefined,
    clause: string,
  ): CitedDifference[] {
    if (client === undefined) return [];
    if (known?.client !== undefined && known.client !== client) {
      const expected = "orders of the client who asks";
      return [{ pointer, expected, actual: "one that another client placed", clause }];
    }
    const owner = textField(order, "userId");
    if (owner === undefined) return [];
    const before = this.#owners.get(client) ?? owner;
    this.#owners.set(client, before);
    if (before === owner) return [];
    const expected = `${before}, the owner of this client's orders so far`;
    return [{ pointer: `${pointer}/userId`, expected, actual: owner, clause: "ORD-59" }];
  }

  /** Records the result of a request: an order, a possible order, or a refusal. */
  #note(exchange: Exchange, asked: string): void {
    const status = exchange.reply?.status ?? 0;
    if (refusals.includes(status)) this.#refused.set(asked, status);
    else this.#taken.add(asked);
    const type = resolvePointer(exchange.json, "#/data/type");
    if (status >= 500 || status === 0 || failedOutcomes.some((outcome) => outcome === type))
      this.#failed.add(asked);
  }
}

/** More orders than a run places; the limit protects from a target that shows new orders in every answer. */
const mostOrders = 20_000;

/** Statuses that mean that no order was made. A target that answers as busy may still have accepted the order. */
const refusals = [400, 401, 403, 404, 413, 415, 422];

/** The client_order_id in a request that places an order; undefined for all other requests. */
function keyOf({ request }: Exchange): string | undefined {
  if (request.operation !== "placeOrder" && !(request.method === "POST" && request.path.endsWith("/order")))
    return undefined;
  const reading = readJson(request.body);
  const body = orderRequest(reading.ok ? reading.json : undefined);
  return body === undefined ? undefined : textField(body, "client_order_id")?.toLowerCase();
}

function howOf({ json }: Exchange, asked: string | undefined): How {
  if (asked === undefined) return "read";
  return resolvePointer(json, "#/data/type") === "DUPLICATE_REPLAY" ? "replay" : "new";
}

/** The clause that hides an order from clients that did not place it. */
function othersOrder(how: How, operation: string | undefined): string {
  if (how === "heard") return "EVT-09";
  if (how === "replay") return "PLC-19";
  return operation === "readOrder" ? "OWN-01" : "OWN-02";
}

/** One client_order_id of one client has one order with one id. */
function sameId(before: string | undefined, id: string, pointer: string, how: How): CitedDifference[] {
  if (before === undefined || before === id) return [];
  const expected = `${before}, as the order of this client_order_id had before`;
  return [{ pointer: `${pointer}/id`, expected, actual: id, clause: how === "new" ? "PLC-10" : "ORD-39" }];
}

/** A repeat that shows the order of another client_order_id. */
function otherOrder(order: JsonObject, pointer: string, asked: string): CitedDifference[] {
  const shown = textField(order, "clientOrderId");
  if (shown === undefined || shown.toLowerCase() === asked) return [];
  const expected = `${asked}, whose repeat this is`;
  return [{ pointer: `${pointer}/clientOrderId`, expected, actual: shown, clause: "PLC-12" }];
}
