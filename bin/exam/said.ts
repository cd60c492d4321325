/** The line that a client prints at its end. It is believed in nothing: the rules compare it with the venue. */

export interface SaidOrder {
  readonly clientOrderId: string;
  readonly status: unknown;
  readonly filledQuantity: unknown;
}

export type Said =
  | { readonly kind: "orders"; readonly orders: readonly SaidOrder[] }
  | { readonly kind: "nothing"; readonly why: string };

const nothing = (why: string): Said => ({ kind: "nothing", why });

/** The last line of the output counts. */
export function readSaid(output: string): Said {
  const line = output.trimEnd().split("\n").at(-1) ?? "";
  if (line.trim() === "") return nothing("it printed nothing");
  const value = jsonIn(line);
  if (!isObject(value)) return nothing(`its last line is no JSON object: ${line.slice(0, 200)}`);
  return ordersIn(value["orders"]);
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

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
