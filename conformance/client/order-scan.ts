import { type ExactDecimal, infinite } from "../check/decimal.ts";
import { readJson } from "../check/lossless-json.ts";
import { objectsIn } from "../check/pointer.ts";
import { isOrderRoute } from "../contract/order-route.ts";
import {
  amountFields,
  assignmentsIn,
  type OrderField,
  orderFieldOf,
  orderFields,
  readingsOf,
  unescaped,
} from "../contract/order-text.ts";
import type { SentRequest } from "../model/exchange.ts";
import { isArray, type Json, JsonNumber, JsonObject } from "../model/json.ts";
import { type AmountReading, readAmount } from "./amount-reading.ts";
import type { Cost } from "./budget.ts";

/**
 * All interpretations of a request as an order. A strict reader finds one value per field; a lenient one might repair
 * broken JSON, use the first of two equal keys, look into a wrapper or read the query. So each field has all values
 * that any reader could find, and a guard uses the worst of them.
 */
export interface OrderScan {
  /** One JSON object in UTF-8, each key once, and no field of an order with two values at different depths. */
  readonly wellFormed: boolean;
  readonly values: (field: OrderField) => readonly string[];
}

/** The scanned parts: the bytes of the body and the target, as they are sent. */
export type Scanned = Pick<SentRequest, "body" | "path">;

/** A request that can create an order: by its route, or by a body with all fields that an order needs, on any route. */
export function isOrder(request: SentRequest): boolean {
  return (
    request.operation === "placeOrder" ||
    isOrderRoute(request.method, request.path) ||
    couldBeOrder(scanOrder(request))
  );
}

/** Called several times for one request on its way. The result is cached, because a request never changes. */
export function scanOrder(request: Scanned): OrderScan {
  const known = scans.get(request) ?? scanned(request);
  scans.set(request, known);
  return known;
}

const scans = new WeakMap<Scanned, OrderScan>();

function scanned({ body, path }: Scanned): OrderScan {
  const found = new Map<string, Set<string>>();
  const add = (field: string, value: string): void => {
    found.set(field, (found.get(field) ?? new Set()).add(value));
  };
  const reading = readJson(body);
  const objects = reading.ok ? objectsIn(reading.json, () => true).map(([, object]) => object) : [];
  const stated = new Map<string, Set<string>>();
  for (const object of objects)
    for (const [name, value] of object.entries) {
      const [field, texts] = [orderFieldOf(name), textsOf(value)];
      if (field === undefined || texts.length === 0) continue;
      stated.set(field, (stated.get(field) ?? new Set()).add(texts.join()));
      for (const text of amountFields.includes(field) ? [texts.join(";")] : [...texts, texts.join("-")])
        add(field, text);
    }
  const single =
    reading.ok &&
    reading.json instanceof JsonObject &&
    objects.every(({ duplicates }) => duplicates.length === 0) &&
    orderFields.every((field) => (stated.get(field)?.size ?? 0) <= 1);
  const bytes = Buffer.from(body);
  const query = unescaped(path);
  const texts = [bytes.toString("latin1"), bytes.toString("utf8")].flatMap(readingsOf);
  for (const text of new Set([...texts, query, Buffer.from(query, "latin1").toString("utf8")]))
    for (const [field, value] of assignmentsIn(text)) add(field, value);
  return { wellFormed: single, values: (field) => [...(found.get(field) ?? [])] };
}

/** Could a lenient target make an order of it? All fields that its type needs are present. */
export function couldBeOrder(scan: OrderScan): boolean {
  const has = (field: OrderField) => scan.values(field).length > 0;
  const sized = (field: OrderField) => largest(scan, field)?.gt(0) === true;
  if (!has("side") || !has("type") || !has("product") || !has("client_order_id")) return false;
  const types = wordsOf(scan, "type");
  if (types.includes("LIMIT") && sized("base_quantity") && sized("price")) return true;
  if (
    types.includes("STOPLIMIT") &&
    ["base_quantity", "price", "stop_price"].every((name) => sized(name as OrderField))
  )
    return true;
  return types.includes("MARKET") && (sized("base_quantity") || sized("quote_value"));
}

/** The product of a list that a value could mean to a target that ignores case and separators. */
export function meantBy(value: string, products: Iterable<string>): string | undefined {
  const bare = (id: string): string =>
    id
      .normalize("NFKC")
      .toUpperCase()
      .replace(/[^A-Z0-9]/g, "");
  const all = [...products];
  return all.find((id) => id === value) ?? all.find((id) => bare(id) === bare(value));
}

/** In capitals and without anything between the letters, because a target may ignore that. */
export function wordsOf(scan: OrderScan, field: "side" | "type"): readonly string[] {
  return scan.values(field).map((word) =>
    word
      .normalize("NFKC")
      .toUpperCase()
      .replace(/[^A-Z]/g, ""),
  );
}

/**
 * The largest possible cost: the largest quantity at the largest price, or the largest amount to spend. A number that
 * cannot be read is infinite.
 */
export function costOf(scan: OrderScan, products: Iterable<string>): Cost | undefined {
  const quote = quoteOf(scan, [...products]);
  if (quote === undefined) return undefined;
  const [quantity, price, spend] = [
    largest(scan, "base_quantity"),
    largest(scan, "price"),
    largest(scan, "quote_value"),
  ];
  const notional = quantity === undefined || price === undefined ? undefined : quantity.times(price);
  const amount = notional === undefined || (spend !== undefined && spend.gt(notional)) ? spend : notional;
  return amount === undefined ? undefined : { quote, amount };
}

function quoteOf(scan: OrderScan, products: readonly string[]): string | undefined {
  const names = scan.values("product");
  const known = names.map((name) => meantBy(name, products)).filter((id) => id !== undefined);
  return [...known, ...names].map((id) => id.toUpperCase().split(/[^A-Z0-9]+/)[1]).find((quote) => quote);
}

export function largest(scan: OrderScan, field: OrderField): ExactDecimal | undefined {
  const { values, isUnreadable } = amountOf(scan, field);
  return isUnreadable
    ? infinite
    : values.reduce<ExactDecimal | undefined>(
        (most, value) => (most === undefined || value.gt(most) ? value : most),
        undefined,
      );
}

/** The numbers that any reader could find for a field. */
export function amountOf(scan: OrderScan, field: OrderField): AmountReading {
  const readings = scan.values(field).map(readAmount);
  return {
    values: readings.flatMap(({ values }) => values),
    isUnreadable: readings.some(({ isUnreadable }) => isUnreadable),
  };
}

/** The texts in a value, at any depth: a lenient reader may unwrap it. */
function textsOf(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (value instanceof JsonNumber) return [value.lexeme];
  if (value instanceof JsonObject) return [...value.entries].flatMap(([, item]) => textsOf(item));
  return isArray(value) ? value.flatMap(textsOf) : [];
}
