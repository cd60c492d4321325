/** The line that a client prints at its end. It is believed in nothing: the rules compare it with the venue. */
import type { Book, Level } from "./evidence.ts";
import type { TaskName } from "./situation.ts";

export interface SaidOrder {
  readonly clientOrderId: string;
  readonly status: unknown;
  readonly filledQuantity: unknown;
}

export type Said =
  | { readonly kind: "orders"; readonly orders: readonly SaidOrder[] }
  | { readonly kind: "book"; readonly book: Book }
  | { readonly kind: "nothing"; readonly why: string };

const nothing = (why: string): Said => ({ kind: "nothing", why });

/** The last line of the output counts. */
export function readSaid(output: string, task: TaskName): Said {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  if (line.trim() === "") return nothing("it printed nothing");
  const value = jsonIn(line);
  if (!isObject(value)) return nothing(`its last line is no JSON object: ${line.slice(0, 200)}`);
  return task === "book" ? bookIn(value["book"]) : ordersIn(value["orders"]);
}

function ordersIn(orders: unknown): Said {
  if (!Array.isArray(orders)) return nothing('its line has no list "orders"');
  const read = orders
    .filter(isObject)
    .flatMap(({ clientOrderId, status, filledQuantity }) =>
      typeof clientOrderId === "string" ? [{ clientOrderId, status, filledQuantity }] : [],
    );
  if (read.length < orders.length) return nothing('an entry of "orders" has no "clientOrderId"');
  return { kind: "orders", orders: read };
}

function bookIn(book: unknown): Said {
  if (!isObject(book)) return nothing('its line has no object "book"');
  const { bookSequence, bids, asks } = book;
  if (typeof bookSequence !== "number" || !areLevels(bids) || !areLevels(asks))
    return nothing(
      'its "book" needs a number "bookSequence" and lists "bids" and "asks" of {"price","quantity"}',
    );
  return { kind: "book", book: { bookSequence, bids, asks } };
}

const areLevels = (value: unknown): value is readonly Level[] =>
  Array.isArray(value) &&
  value.every(
    (one) => isObject(one) && typeof one["price"] === "string" && typeof one["quantity"] === "string",
  );

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
