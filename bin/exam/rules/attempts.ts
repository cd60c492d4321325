/** Which order of the task a request, or an order at the venue, is meant to be. */
import { nearlySame } from "../amounts.ts";
import type { Evidence, Sent } from "../evidence.ts";
import type { OrderBody, VenueOrder } from "../situation.ts";

/** One order of the task, with every request to place it and everything that came of them. */
export interface Attempts {
  readonly wanted: OrderBody;
  readonly requests: readonly Sent[];
  readonly placed: readonly VenueOrder[];
}

export function attemptsOf({
  situation: { orders = [] },
  sent,
  orders: placed,
}: Evidence): readonly Attempts[] {
  const posts = sent.filter(isPlacement);
  return orders.map((wanted) => ({
    wanted,
    requests: posts.filter(({ body }) => body !== undefined && isMeant(wanted, body)),
    placed: placed.filter((order) => isMeant(wanted, asBody(order))),
  }));
}

export const isPlacement = ({ method, path }: Sent): boolean => method === "POST" && path === "/order";

/** Amounts need not be the same: that they are is a rule of its own. */
export const isMeant = (wanted: OrderBody, body: Readonly<Record<string, unknown>>): boolean =>
  ["product", "side", "type"].every((name) => wanted[name] === body[name]) &&
  ["price", "base_quantity"].every((name) => nearlySame(wanted[name], body[name]));

export const asBody = ({ productId, side, type, limitPrice, baseQuantity }: VenueOrder) => ({
  product: productId,
  side,
  type,
  price: limitPrice,
  base_quantity: baseQuantity,
});

/** An order of a task, for a sentence. */
export const shown = (body: OrderBody): string =>
  `${body["side"]} ${body["base_quantity"]} ${body["product"]} at ${body["price"]}`;

/** The outcome is unknown: no answer, or one that says so. */
export const isFailure = ({ status }: Sent): boolean => status === 0 || status === 429 || status >= 500;
