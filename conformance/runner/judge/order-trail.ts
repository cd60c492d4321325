import { readJson } from "../../check/lossless-json.ts";
import { orderRequest, ordersIn, textField } from "../../check/orders-in-reply.ts";
import { onAnswer } from "../../check/own-failure.ts";
import { toldOrders } from "../../check/stream-ambient.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { JsonObject } from "../../model/json.ts";

/**
 * The last exchange of each order, so that a broken rule can show the one before. An order is known by its id and by
 * its client_order_id. Memory is bounded: the oldest orders and large answers are left out, and no parsed JSON is kept.
 */
export class OrderTrail {
  readonly #last = new Map<string, Exchange>();

  /** The names of the order that a difference is about: the id, if it is known, comes first. */
  namesAt(exchange: Exchange, pointer: string): string[] {
    const look = (): string[] => {
      const around = ordersOf(exchange).filter((seen) => `${pointer}/`.startsWith(`${seen.pointer}/`));
      const order = around.at(-1)?.order;
      return order === undefined ? this.#named(exchange) : namesOf(order);
    };
    // An answer that the kit cannot read is a finding already; it belongs to no order.
    return onAnswer("read", look, () => []);
  }

  before(names: readonly string[], exchange: Exchange): Exchange | undefined {
    return names
      .flatMap((name) => this.#last.get(name) ?? [])
      .filter((one) => one.endedAt < exchange.endedAt || one.request !== exchange.request)
      .toSorted((a, b) => b.endedAt - a.endedAt)[0];
  }

  note(exchange: Exchange): void {
    const { json: _, ...kept } = exchange;
    if (sizeOf(exchange) > largest) return;
    const look = (): string[] => [
      ...ordersOf(exchange).flatMap(({ order }) => namesOf(order)),
      ...this.#named(exchange),
    ];
    for (const name of new Set(onAnswer("read", look, () => []))) {
      this.#last.delete(name);
      this.#last.set(name, kept);
    }
    while (this.#last.size > mostNames) this.#last.delete(this.#last.keys().next().value ?? "");
  }

  /** The names in the request: the client_order_id that it places, and known ids in its path. */
  #named({ request: { method, path, body } }: Exchange): string[] {
    const segments = (path.split("?")[0] ?? "").toLowerCase().split("/");
    const known = segments.filter((segment) => this.#last.has(segment));
    const reading = method === "POST" ? readJson(body) : undefined;
    const placed = reading?.ok === true ? orderRequest(reading.json) : undefined;
    return [...known, ...named(placed, "client_order_id")];
  }
}

const mostNames = 2000;
const largest = 16 * 1024;
const longestName = 100;

const sizeOf = ({ request, reply, stream }: Exchange): number =>
  request.body.length + (reply?.body.length ?? 0) + (stream?.body.length ?? 0);

function ordersOf(exchange: Exchange): { readonly pointer: string; readonly order: JsonObject }[] {
  return exchange.transport === "message"
    ? toldOrders(exchange).map((order) => ({ pointer: "event/order", order }))
    : ordersIn(exchange);
}

const namesOf = (order: JsonObject): string[] => [...named(order, "id"), ...named(order, "clientOrderId")];

function named(object: JsonObject | undefined, field: string): string[] {
  const name = object === undefined ? undefined : textField(object, field);
  return name === undefined || name === "" || name.length > longestName ? [] : [name.toLowerCase()];
}
