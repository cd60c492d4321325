/** The order that a person means: by its id, the first eight digits of it, or its client_order_id. */
import type { OrderNumber } from "../domain/order.ts";
import { ok, type Result } from "../domain/result.ts";
import type { Refusal } from "../http/errors.ts";
import { refuse } from "../http/route.ts";
import { type Controls, notFound } from "./control-route.ts";

/** The one order; refused when there is none, or when the name fits several. */
export function orderNamed(controls: Controls, name: string): Result<OrderNumber, Refusal> {
  const found = orderIfNamed(controls, name);
  if (!found.ok) return found;
  if (found.value !== undefined) return ok(found.value);
  return notFound("order", name, "give its id or its client_order_id; GET /order lists those of a client");
}

/** The same, where what has no order may be something else. */
export function orderIfNamed(controls: Controls, name: string): Result<OrderNumber | undefined, Refusal> {
  const { state } = controls.venue;
  const number = controls.ids.order.numberOf(name);
  if (number !== null && state.orders.has(number)) return ok(number);
  const ofClients = state.clients.flatMap(({ orderIds }) => orderIds.get(name.toLowerCase()) ?? []);
  if (ofClients.length > 1) return several(controls, ofClients, severalClients);
  const begun = ofClients.length === 0 ? ordersByBeginning(controls, name) : [];
  return begun.length > 1 ? several(controls, begun, severalOrders) : ok(ofClients[0] ?? begun[0]);
}

const severalClients = "Several clients have used this client_order_id. Ask by order id";
const severalOrders = "Several order ids begin so. Ask by more of the id";

function several({ venue: { state }, ids }: Controls, numbers: readonly OrderNumber[], sentence: string) {
  const found = numbers.map((number) => ({
    order: ids.order.idOf(number),
    client: state.client(state.order(number).terms.client).name,
  }));
  const named = found.map(({ order, client }) => `${order} of ${client}`).join(", ");
  return refuse("CONFLICT", `${sentence}: ${named}`, found);
}

/** The first eight digits of an order id, or more of it, as screens shorten it. */
const shortened = /^[0-9a-f]{8}[0-9a-f-]*$/i;
/** So many of the newest orders are looked at. */
const mostSearched = 10_000;

function ordersByBeginning({ venue: { state }, ids }: Controls, id: string): OrderNumber[] {
  if (!shortened.test(id)) return [];
  const beginning = id.toLowerCase();
  const newest = [...state.orders.keys()].slice(-mostSearched);
  return newest.filter((number) => ids.order.idOf(number).startsWith(beginning));
}
