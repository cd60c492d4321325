import type { Exchange } from "../model/exchange.ts";
import { type Json, JsonObject } from "../model/json.ts";
import { type ExactDecimal, parseDecimal } from "./decimal.ts";
import { objectsIn, resolvePointer } from "./pointer.ts";

export interface SeenOrder {
  readonly pointer: string;
  readonly order: JsonObject;
}

/** One systematic mistake shows in the first fifty orders of a list. */
const mostOrders = 50;

/**
 * The orders that a reply shows. An order is recognised by its own field names wherever it stands; POST /order holds it
 * at a fixed place. What stands in an edit history is no order as it is now, and its shape is not specified.
 */
export function ordersIn(exchange: Exchange): SeenOrder[] {
  const placed =
    exchange.request.operation === "placeOrder" ? resolvePointer(exchange.json, "#/data/order") : undefined;
  const isOrder = (object: JsonObject): boolean => object === placed || looksLikeOrder(object);
  return objectsIn(exchange.json, isOrder, { most: mostOrders, notBelow: past }).map(([pointer, order]) => ({
    pointer,
    order,
  }));
}

const past = ["orderEditHistory", "editHistory"];

function looksLikeOrder(object: JsonObject): boolean {
  return object.get("clientOrderId") !== undefined && object.get("productId") !== undefined;
}

/** The body of an order request, when it is one JSON object in which each key has one value. */
export function orderRequest(json: Json | undefined): JsonObject | undefined {
  return json instanceof JsonObject && json.duplicates.length === 0 ? json : undefined;
}

/** A field as text; undefined when it is missing, null or something else than text. */
export function textField(object: JsonObject, name: string): string | undefined {
  const value = object.get(name);
  return typeof value === "string" ? value : undefined;
}

/** A field as a decimal; undefined when it says none. */
export function decimalField(object: JsonObject, name: string): ExactDecimal | undefined {
  const text = textField(object, name);
  return text === undefined ? undefined : parseDecimal(text);
}
