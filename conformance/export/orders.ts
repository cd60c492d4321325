import { parseDecimal } from "../check/decimal.ts";
import { resolveFirst } from "../check/pointer.ts";
import { finalStatuses, orderFields } from "../contract/fields.ts";
import { type Json, JsonObject } from "../model/json.ts";
import type { Value, ValueMap } from "../model/value.ts";
import type { Names } from "./names.ts";
import { type Turn, textAt } from "./turn.ts";

/** An order of the recording, as the client knew it at some time. */
export interface KnownOrder {
  readonly id: string;
  /** The body that placed it; undefined for an order that was there before. */
  readonly placedWith?: Json;
  status: string;
  filled: string;
}

/** The orders that were seen so far, by their ids. */
export class Orders {
  readonly #known = new Map<string, KnownOrder>();
  readonly #gone = new Set<string>();

  find(id: string | undefined): KnownOrder | undefined {
    return id === undefined ? undefined : this.#known.get(id);
  }

  /** Takes over what an answer says; returns whether that is news about an order that was known. */
  see(record: Json, placedWith?: Json): boolean {
    const id = textAt(record, "id");
    if (id === undefined) return false;
    const [status, filled] = [textAt(record, "status") ?? "", textAt(record, "filledQuantity") ?? "0"];
    const known = this.#known.get(id);
    if (known === undefined) {
      this.#known.set(id, { id, status, filled, ...(placedWith === undefined ? {} : { placedWith }) });
      return false;
    }
    const isNews = known.status !== status || known.filled !== filled;
    known.status = status;
    known.filled = filled;
    return isNews;
  }

  /** The orders of the recording that are over and not listed, each once: later lists need not say it again. */
  newlyGone(listed: ReadonlySet<string | undefined>): KnownOrder[] {
    const gone = this.placed().filter(
      ({ id, status }) => finalStatuses.includes(status) && !listed.has(id) && !this.#gone.has(id),
    );
    for (const { id } of gone) this.#gone.add(id);
    return gone;
  }

  placed(): KnownOrder[] {
    return [...this.#known.values()].filter(({ placedWith }) => placedWith !== undefined);
  }
}

/** The order in an answer, at the places that the operation names. */
export function orderIn({ route, answered }: Turn): Json | undefined {
  const found = route === undefined ? undefined : resolveFirst(answered, route.operation.order);
  return found instanceof JsonObject && textAt(found, "id") !== undefined ? found : undefined;
}

const said = ["side", "type", "productId"] as const;
/** The values that the client sent, by the field of the answer. */
const asked = [
  ["baseQuantity", "base_quantity"],
  ["quoteValue", "quote_value"],
  ["limitPrice", "price"],
  ["stopPrice", "stop_price"],
] as const;
const sums = ["filledValue", "fees", "commission", "exchangeFee"] as const;

/**
 * The expectations of an order in a scenario: words as they were, amounts that the client gave by their value, and of amounts
 * that the market made only what must hold again. The subject of an order is said once; the kit compares later answers
 * with it anyway.
 */
export function expectedOrder(record: Json, names: Names, known: KnownOrder): ValueMap {
  const text = (key: string): string | undefined => textAt(record, key);
  const expected: Record<string, Value> = {};
  const name = names.nameOf(known.id);
  if (name !== undefined) expected["id"] = { $eqVar: name };
  const status = text("status");
  if (status !== undefined) expected["status"] = wordOf("status", status);
  if (name === undefined) Object.assign(expected, termsOf(record, names, known));
  const filled = text("filledQuantity");
  if (filled !== undefined) expected["filledQuantity"] = amount(filled, text("baseQuantity"));
  for (const key of sums) {
    const value = text(key);
    if (value !== undefined && parseDecimal(value)?.isZero() === false) expected[key] = amount(value);
  }
  if (text("averageFilledPrice") !== undefined) expected["averageFilledPrice"] = averageOf(record, names);
  return expected;
}

/** With `$eq`, a word that no order has is no misspelling: the gateway said it. */
function wordOf(field: string, text: string): Value {
  const kind = orderFields.find(({ name }) => name === field)?.kind;
  const matcher = literally(text);
  const isUnknown = typeof kind === "object" && !kind.oneOf.includes(text);
  return isUnknown && typeof matcher === "string" ? { $eq: matcher } : matcher;
}

/** The fields that say what the order is about. */
function termsOf(record: Json, names: Names, { placedWith }: KnownOrder): ValueMap {
  const terms: Record<string, Value> = {};
  const clientOrderId = textAt(record, "clientOrderId");
  if (clientOrderId !== undefined && names.isDefined(clientOrderId))
    terms["clientOrderId"] = names.inText(clientOrderId);
  for (const key of said) {
    const value = textAt(record, key);
    if (value !== undefined) terms[key] = wordOf(key, value);
  }
  for (const [field, request] of asked) {
    const value = textAt(record, field);
    if (value === undefined || textAt(placedWith, request) === undefined) continue;
    const name = field.endsWith("Price") ? names.priceOf(value) : undefined;
    terms[field] = name === undefined ? dec(value) : { $dec: `\${${name}}` };
  }
  return terms;
}

/** This text, and not what the language reads in it. */
export function literally(text: string): Value {
  if (text.includes("${")) return { $type: "string" };
  return text.startsWith("$") ? { $eq: text } : text;
}

const dec = (text: string): Value => (parseDecimal(text) === undefined ? literally(text) : { $dec: text });

/** Nothing and everything are the same on every market; amounts between them are not. */
function amount(text: string, whole?: string): Value {
  const value = parseDecimal(text);
  if (value === undefined) return literally(text);
  if (value.isZero()) return { $dec: "0" };
  return whole !== undefined && parseDecimal(whole)?.eq(value) === true
    ? { $dec: whole }
    : { $dec: { gt: "0" } };
}

/** A LIMIT trades at its price or a better one. */
function averageOf(record: Json, names: Names): Value {
  const [limit, average] = [textAt(record, "limitPrice"), textAt(record, "averageFilledPrice") ?? ""];
  const [bound, price] = [parseDecimal(limit ?? ""), parseDecimal(average)];
  if (limit === undefined || bound === undefined || price === undefined) return { $dec: { gt: "0" } };
  const isBuy = textAt(record, "side") === "BUY";
  const name = names.priceOf(limit);
  const said = name === undefined ? limit : `\${${name}}`;
  if (isBuy ? price.gt(bound) : price.lt(bound)) return { $dec: { gt: "0" } };
  return { $dec: isBuy ? { gt: "0", lte: said } : { gte: said } };
}
