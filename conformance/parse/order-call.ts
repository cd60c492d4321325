import { isOrderRoute } from "../contract/order-route.ts";
import { namesOrder } from "../contract/order-text.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";

/** Whatever its method and path: a body or a query that names all that an order has is one, as it is to the guard. */
export function isOrderCall(call: ValueMap): boolean {
  const changed = changedAfterSigning(call);
  const [method, path] = ["method", "path"].map((key) => String(changed[key] ?? call[key] ?? ""));
  const query = (isList(call["query"]) ? call["query"] : []).map((pair) => [pair].flat().join("="));
  return (
    call["op"] === "placeOrder" ||
    isOrderRoute(method ?? "", path ?? "") ||
    [call["body"], call["bodyText"], changed["body"], changed["query"], query.join("&"), path]
      .filter((part) => part !== undefined)
      .some((part) => namesOrder(typeof part === "string" ? part : JSON.stringify(part))) ||
    namesOrder(Buffer.from(String(call["bodyBase64"] ?? ""), "base64").toString("latin1"))
  );
}

/** Raw bytes with an order in them, or to where orders are placed. */
export function isOrderText(raw: Value): boolean {
  if (!isMap(raw)) return false;
  const bytes = Buffer.from(String(raw["base64"] ?? ""), "base64").toString("latin1");
  return [String(raw["request"] ?? ""), bytes].some((text) => {
    const [, method = "", target = ""] = /^(\S+) +(\S+)/.exec(text) ?? [];
    return isOrderRoute(method, target) || namesOrder(`${text}\n${String(raw["body"] ?? "")}`);
  });
}

const always = ["side", "type", "client_order_id", "product"];

/** An object that lacks what every order needs is none, and neither is text that is no such object. */
export function canBeOrder(call: ValueMap): boolean {
  const body = bodyOf(call);
  if (isMap(body)) return always.every((field) => body[field] !== undefined && !isRawNull(body[field]));
  return typeof body === "string" && body.includes("${");
}

/** The body as it leaves, where the file says what it is; text that is not known before the run stays text. */
function bodyOf(call: ValueMap): Value | undefined {
  const { body, bodyText, bodyBase64 } = call;
  const change = changedAfterSigning(call)["body"];
  const later = isMap(change) ? change["set"] : undefined;
  if (later === undefined && isMap(body)) return body;
  const bytes =
    typeof bodyBase64 === "string" ? Buffer.from(bodyBase64, "base64").toString("utf8") : undefined;
  const text = String(later ?? bodyText ?? body ?? bytes ?? "");
  return text.includes("${") ? text : objectIn(text);
}

function objectIn(text: string): Value | undefined {
  try {
    const parsed = JSON.parse(text) as Value;
    return isMap(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function changedAfterSigning(call: ValueMap): ValueMap {
  const sign = call["sign"];
  return isMap(sign) && isMap(sign["mutateAfterSign"]) ? sign["mutateAfterSign"] : {};
}

const isRawNull = (value: Value | undefined): boolean => isMap(value) && value["$json"] === "null";

/** A market order, or a price that is chosen to meet somebody. */
export function meetsTheMarket(call: ValueMap): boolean {
  const body = bodyOf(call);
  if (!isMap(body)) return false;
  const price = body["price"];
  const away = isMap(price) && isMap(price["$price"]) ? price["$price"]["away"] : undefined;
  return body["type"] === "MARKET" || away === "near" || away === "cross";
}
