/**
 * Takes orders and never trades one. Everything that the document leaves open is answered in a way of its own: ids are
 * no UUIDs, instants have an offset, nullable fields are left out, a new order is PENDING and is OPEN when it is asked
 * for again, what cannot be executed is a failed outcome and not a refusal.
 */
import type { Variation } from "./variations.ts";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type Fields = Readonly<Record<string, unknown>>;

export type Decision =
  | { readonly status: 200; readonly data: Json }
  | { readonly status: 400 | 404; readonly problems: readonly string[] };

interface Order {
  readonly id: string;
  readonly number: number;
  readonly fields: Readonly<Record<string, string>>;
  readonly takenAt: number;
}

export const pairs: readonly string[] = ["BTC-USD", "ETH-USD"];

const known = [
  "side",
  "type",
  "base_quantity",
  "quote_value",
  "price",
  "stop_price",
  "client_order_id",
  "product",
];

export interface Change {
  readonly order: { readonly [key: string]: Json };
  /** As it was placed: side, price and quantity. */
  readonly fields: Readonly<Record<string, string>>;
  readonly what: "placed" | "cancelled";
}

export class OrderDesk {
  /** Told of every change once it is done. */
  onChange: (change: Change) => void = () => undefined;
  readonly #prefix: string;
  readonly #variations: ReadonlySet<Variation>;
  readonly #pairs: readonly string[];
  readonly #orders = new Map<string, Order>();
  readonly #cancelled = new Set<string>();

  /** Two desks need two beginnings for the ids of their orders. */
  constructor(prefix: string, variations: ReadonlySet<Variation>, listed = pairs) {
    this.#prefix = prefix;
    this.#variations = variations;
    this.#pairs = listed;
  }

  place(body: Buffer): Decision {
    const fields = fieldsOf(body);
    if (fields === undefined) return { status: 400, problems: ["the body must be a JSON object"] };
    const listed = this.#pairs.some((pair) => pair === fields["product"]);
    const problems = problemsOf(fields, listed);
    if (problems.length > 0) return { status: 400, problems };
    const texts = Object.fromEntries(
      known.flatMap((name) => (typeof fields[name] === "string" ? [[name, fields[name]]] : [])),
    ) as Record<string, string>;
    const key = (texts["client_order_id"] ?? "").toLowerCase();
    const earlier = this.#orders.get(key);
    if (earlier !== undefined)
      return {
        status: 200,
        data: {
          order: this.#shown(earlier, !this.#variations.has("repeats-the-first-answer")),
          message: "Auftrag bereits bekannt",
          type: "DUPLICATE_REPLAY",
        },
      };
    if (!listed) return { status: 404, problems: [`product ${texts["product"] ?? ""} does not exist`] };
    const trouble = cannotExecute(texts);
    if (trouble !== undefined)
      return { status: 200, data: { message: trouble, type: "EXTERNAL_EXECUTION_FAILED" } };
    const number = this.#orders.size + 1;
    const id = this.#variations.has("names-orders-oddly")
      ? `№ ${this.#prefix}/${number}?ä#%`
      : `${this.#prefix}-${String(number).padStart(6, "0")}`;
    const order = { id, number, fields: texts, takenAt: Date.now() };
    this.#orders.set(key, order);
    this.onChange({ order: this.#shown(order, true), fields: texts, what: "placed" });
    return { status: 200, data: { order: this.#shown(order, false), type: "NEW_ORDER" } };
  }

  cancel(id: string): boolean {
    const found = [...this.#orders.values()].find((order) => idOf(order) === id && !this.#cancelled.has(id));
    if (found !== undefined) {
      this.#cancelled.add(id);
      this.onChange({ order: this.#shown(found, true), fields: found.fields, what: "cancelled" });
    }
    return found !== undefined;
  }

  openIds(): string[] {
    return this.#stillOpen().map(idOf);
  }

  open(): Json {
    return this.#listed().map((order) => this.#shown(order, true));
  }

  #listed(): Order[] {
    const until = this.#variations.has("lists-late") ? Date.now() - 500 : Number.POSITIVE_INFINITY;
    return this.#stillOpen().filter(({ takenAt }) => takenAt <= until);
  }

  #stillOpen(): Order[] {
    return [...this.#orders.values()].filter((order) => !this.#cancelled.has(idOf(order)));
  }

  /** Price and quantity of what rests on a side, dearest or cheapest last: no order is promised. */
  resting(pair: string, side: string): readonly (readonly [string, string])[] {
    return this.#stillOpen().flatMap(({ fields }) =>
      fields["product"] === pair && fields["side"] === side && fields["type"] === "LIMIT"
        ? [[fields["price"] ?? "", fields["base_quantity"] ?? ""] as const]
        : [],
    );
  }

  #shown(order: Order, settled: boolean): { readonly [key: string]: Json } {
    const { number, fields, takenAt } = order;
    const { client_order_id: key = "" } = fields;
    const needed = {
      synced: settled,
      status: !settled ? "PENDING" : this.#cancelled.has(idOf(order)) ? "CANCELLED" : "OPEN",
      clientOrderId: this.#variations.has("writes-ids-in-lower-case") ? key.toLowerCase() : key,
      productId: fields["product"] ?? "",
      side: fields["side"] ?? "",
      type: fields["type"] ?? "",
      id: idOf(order),
    };
    if (this.#variations.has("hides-what-may-be-left-out")) return needed;
    return {
      totalFieldsShown: 12,
      updatedAt: instant(takenAt + (settled ? 1000 : 0)),
      createdAt: instant(takenAt),
      externalId: { venue: "legal", id: `X/${number}` },
      baseQuantity: widened(fields["base_quantity"]),
      limitPrice: widened(fields["price"]),
      ...(fields["type"] === "STOP_LIMIT" ? { stopPrice: fields["stop_price"] ?? null } : {}),
      ...needed,
    };
  }
}

const idOf = ({ id }: Order): string => id;

function fieldsOf(body: Buffer): Fields | undefined {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(body);
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null && !Array.isArray(parsed)
      ? { ...parsed }
      : undefined;
  } catch {
    return undefined;
  }
}

const isDecimal = (value: unknown): boolean =>
  typeof value === "string" && value.length < 60 && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value);

/** All of them at once, as a list: another way to say which. */
function problemsOf(fields: Fields, listed: boolean): string[] {
  const { side, type } = fields;
  const oneOf = (name: string, words: readonly string[]): string[] =>
    words.some((word) => word === fields[name]) ? [] : [`${name} must be one of ${words.join(", ")}`];
  const unknown = Object.keys(fields).filter((name) => !known.includes(name));
  const marketBuy = type === "MARKET" && side === "BUY";
  const needed = marketBuy
    ? ["quote_value"]
    : [
        "base_quantity",
        ...(type === "MARKET" ? [] : ["price"]),
        ...(type === "STOP_LIMIT" ? ["stop_price"] : []),
      ];
  return [
    ...oneOf("side", ["BUY", "SELL"]),
    ...oneOf("type", ["LIMIT", "MARKET", "STOP_LIMIT"]),
    ...(isUuid4(fields["client_order_id"]) ? [] : ["client_order_id must be a UUID of version 4"]),
    ...(listed || /^[A-Z0-9]+-[A-Z0-9]+$/.test(String(fields["product"]))
      ? []
      : ["product must look like BASE-QUOTE"]),
    ...needed
      .filter((name) => !isDecimal(fields[name]))
      .map((name) => `${name} must be a decimal in a string`),
    ...unknown.map((name) => `${JSON.stringify(name.slice(0, 40))} is no field of an order`),
  ];
}

function isUuid4(value: unknown): boolean {
  return (
    typeof value === "string" &&
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.test(value)
  );
}

/** There is no counterparty, and an order needs a quantity. */
function cannotExecute(fields: Readonly<Record<string, string>>): string | undefined {
  if (fields["type"] === "MARKET") return "keine Gegenpartei";
  const amounts = ["base_quantity", "price", ...(fields["type"] === "STOP_LIMIT" ? ["stop_price"] : [])];
  return amounts.every((name) => /^[\d.]*[1-9]/.test(fields[name] ?? ""))
    ? undefined
    : "Menge oder Preis fehlt";
}

/** The same number in more digits. */
function widened(text: string | undefined): string | null {
  if (text === undefined) return null;
  return text.includes(".") ? `${text}00` : `${text}.00`;
}

/** Without fractions and two hours ahead of UTC, as a clock in Bucharest shows it in winter. */
function instant(at: number): string {
  return new Date(at + 2 * 3_600_000).toISOString().replace(/\.\d+Z$/, "+02:00");
}
