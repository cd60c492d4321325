import { isOrderRoute } from "../contract/order-route.ts";
import { namesOrder } from "../contract/order-text.ts";
import { isOpen } from "../model/expr.ts";
import { isMap, toJsonText, type Value, type ValueMap } from "../model/value.ts";
import type { FilledCall } from "./call.ts";

/**
 * Is the call an order? Method and path do not matter: as for the guard, a body or a query with all fields of an order
 * is one.
 */
export function isOrderCall(call: FilledCall): boolean {
  const { mutation } = call.sign;
  const [method = "", path = ""] = [mutation.method ?? call.method, mutation.path ?? call.path];
  const query = call.query.map((pair) => pair.join("=")).join("&");
  const changed = Object.values(mutation.body ?? {})
    .flat()
    .join(" ");
  const texts = [textOf(call.body), call.bodyText, mutation.query, query, path, changed, decoded(call)];
  return (
    call.op === "placeOrder" ||
    isOrderRoute(method, path) ||
    texts.some((text) => text !== undefined && namesOrder(text))
  );
}

const textOf = (body: Value | undefined): string | undefined =>
  body === undefined ? undefined : typeof body === "string" ? body : toJsonText(body);

const decoded = ({ bodyBase64 = "" }: FilledCall): string =>
  Buffer.from(bodyBase64, "base64").toString("latin1");

/** Raw bytes with an order in them, or with the path where orders are placed. */
export function isOrderText(raw: Value): boolean {
  if (!isMap(raw)) return false;
  const bytes = Buffer.from(String(raw["base64"] ?? ""), "base64").toString("latin1");
  return [String(raw["request"] ?? ""), bytes].some((text) => {
    const [, method = "", target = ""] = /^(\S+) +(\S+)/.exec(text) ?? [];
    return isOrderRoute(method, target) || namesOrder(`${text}\n${String(raw["body"] ?? "")}`);
  });
}

const always = ["side", "type", "client_order_id", "product"];

/**
 * An object without a field that every order needs cannot be an order, and neither can text that is not such an object.
 */
export function canBeOrder(call: FilledCall): boolean {
  const body = bodyOf(call);
  return body === "open" || (body !== undefined && always.every((field) => isGiven(body[field])));
}

const isGiven = (value: Value | undefined): boolean =>
  value !== undefined && !(isMap(value) && value["$json"] === "null");

/** The object that is sent, if the file determines it; `open` if only the run knows it. */
function bodyOf({ body, bodyText, bodyBase64, sign }: FilledCall): ValueMap | "open" | undefined {
  const later = sign.mutation.body?.set;
  if (later === undefined && isMap(body)) return body;
  const bytes = bodyBase64 === undefined ? undefined : Buffer.from(bodyBase64, "base64").toString("utf8");
  const text = String(later ?? bodyText ?? body ?? bytes ?? "");
  return isOpen(text) ? "open" : objectIn(text);
}

function objectIn(text: string): ValueMap | undefined {
  try {
    const parsed = JSON.parse(text) as Value;
    return isMap(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** A market order, or an order with a price that is chosen to trade. */
export function meetsTheMarket(call: FilledCall): boolean {
  const body = bodyOf(call);
  if (body === undefined || body === "open") return false;
  const price = body["price"];
  const away = isMap(price) && isMap(price["$price"]) ? price["$price"]["away"] : undefined;
  return body["type"] === "MARKET" || away === "near" || away === "cross";
}
