import { resolvePointer } from "../check/pointer.ts";
import { type Json, JsonObject } from "../model/json.ts";
import { orderIn } from "./orders.ts";
import { type Turn, textAt } from "./turn.ts";

/** The members of an order request, and of the order in its answer, that say the same. */
const members = [
  ["side", "side"],
  ["type", "type"],
  ["product", "productId"],
  ["base_quantity", "baseQuantity"],
  ["quote_value", "quoteValue"],
  ["price", "limitPrice"],
  ["stop_price", "stopPrice"],
] as const;

/** An order whose file has no body, or has hidden a part of it, with what its answer shows; unchanged if that is not enough. */
export function withBody(turn: Turn): Turn {
  const { route, exchange, sent, hidden, status } = turn;
  const { body } = exchange.request;
  const isMissing = body.text === undefined && body.base64 === undefined;
  if (route?.op !== "placeOrder" || status !== 200 || !(hidden.length > 0 || isMissing)) return turn;
  const rebuilt = rebuiltOrder(sent, turn);
  return rebuilt === undefined ? turn : { ...turn, sent: rebuilt, isRebuilt: true };
}

function rebuiltOrder(known: Json | undefined, turn: Turn): JsonObject | undefined {
  const order = orderIn(turn);
  const isNew = resolvePointer(turn.answered, "#/data/type") === "NEW_ORDER";
  const rest = known instanceof JsonObject ? known.entries : new Map<string, Json>();
  const found = members.flatMap(([name, field]): [string, Json][] => {
    const value = textAt(known, name) ?? textAt(order, field);
    return value === undefined ? [] : [[name, value]];
  });
  const shown = new Map(found);
  // A MARKET BUY is sized by its value, and the quantity is what came of it. An answer may show both of every order.
  const isByValue = shown.get("type") === "MARKET" && shown.get("side") === "BUY" && shown.has("quote_value");
  shown.delete(isByValue ? "base_quantity" : "quote_value");
  if (shown.get("type") !== "STOP_LIMIT") shown.delete("stop_price");
  if (shown.get("type") === "MARKET") shown.delete("price");
  const isWhole = ["side", "type", "product"].every((name) => shown.has(name));
  if (!isWhole || !(shown.has("base_quantity") || isByValue)) return undefined;
  const [id, said] = [
    textAt(order, "id"),
    textAt(known, "client_order_id") ?? textAt(order, "clientOrderId"),
  ];
  // Which order a repetition is about must be seen.
  if (said === undefined && id === undefined && !isNew) return undefined;
  const clientId = said ?? idFor(id ?? `exchange ${turn.exchange.id}`);
  return new JsonObject(new Map([...rest, ...shown, ["client_order_id", clientId]]));
}

/** Two answers about one order are about one client_order_id, whatever it was. */
function idFor(about: string): string {
  const hex = Buffer.from(about, "utf8").toString("hex").slice(-30).padStart(32, "f");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
