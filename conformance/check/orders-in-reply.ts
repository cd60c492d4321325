import type { Exchange } from "../model/exchange.ts";
import { type Json, JsonObject } from "../model/json.ts";
import { type ExactDecimal, parseDecimal } from "./decimal.ts";
import { objectsIn, resolvePointer } from "./pointer.ts";

export interface SeenOrder {
  readonly pointer: string;
  readonly order: JsonObject;
}

/** The first fifty orders of a list show every systematic mistake. */
const mostOrders = 50;

/**
 * The orders in a reply. An order is recognised by its field names at any place; POST /order has it at a fixed place.
 * Entries of an edit history are not current orders, and their shape is not specified.
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

/** The body of an order request, if it is one JSON object without duplicate keys. */
export function orderRequest(json: Json | undefined): JsonObject | undefined {
  return json instanceof JsonObject && json.duplicates.length === 0 ? json : undefined;
}

/** A field as text; undefined if it is missing, null or no text. */
export function textField(object: JsonObject, name: string): string | undefined {
  const value = object.get(name);
  return typeof value === "string" ? value : undefined;
}

/** A field as a decimal; undefined if it is none. */
export function decimalField(object: JsonObject, name: string): ExactDecimal | undefined {
  const text = textField(object, name);
  return text === undefined ? undefined : parseDecimal(text);
}
