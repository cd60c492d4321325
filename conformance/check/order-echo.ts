import { type Json, JsonNumber, type JsonObject } from "../model/json.ts";
import { type ExactDecimal, parseDecimal, plain, scaleOf } from "./decimal.ts";
import { describeJson } from "./describe.ts";
import type { CitedDifference } from "./order-relations.ts";
import { decimalField, textField } from "./orders-in-reply.ts";

/**
 * Compares every new order of a run with its request: id, side, type, product, and the amounts of its type. Fields that
 * the request omits or that the order leaves open are not compared. Digits beyond the eighth belong to REQ-25, which
 * recommends keeping or refusing them.
 */
export const echoClauses = [
  "ORD-40",
  "ORD-41",
  "ORD-42",
  "ORD-43",
  "ORD-44",
  "ORD-45",
  "ORD-46",
  "STA-02",
] as const;

const mostDigits = 8;

export function echoDifferences(request: JsonObject, order: JsonObject, pointer: string): CitedDifference[] {
  const kind = amountsOf(request);
  const words = wordPairs.flatMap(([asked, shown, clause]) =>
    wordDifference(request.get(asked), order.get(shown), `${pointer}/${shown}`, clause),
  );
  const amounts = kind.flatMap(([asked, shown, clause]) =>
    amountDifference(request.get(asked), order, shown, pointer, clause),
  );
  return [...words, ...amounts, ...overAtOnce(order, pointer)];
}

type Pair = readonly [asked: string, shown: string, clause: string];

const wordPairs: readonly Pair[] = [
  ["client_order_id", "clientOrderId", "ORD-40"],
  ["side", "side", "ORD-41"],
  ["type", "type", "ORD-42"],
  ["product", "productId", "ORD-43"],
];

const quantity: Pair = ["base_quantity", "baseQuantity", "ORD-44"];
const limit: Pair = ["price", "limitPrice", "ORD-45"];
const trigger: Pair = ["stop_price", "stopPrice", "ORD-46"];

/** The amounts that are relevant for the type of this order. Other amounts are ignored, and their values are open. */
function amountsOf(request: JsonObject): readonly Pair[] {
  const type = textField(request, "type")?.toUpperCase();
  if (type === "LIMIT") return [quantity, limit];
  if (type === "STOP_LIMIT") return [quantity, limit, trigger];
  return type === "MARKET" && textField(request, "side")?.toUpperCase() === "SELL" ? [quantity] : [];
}

/** Ignores letter case: a target may accept small letters and show capitals. */
function wordDifference(
  asked: Json | undefined,
  shown: Json | undefined,
  pointer: string,
  clause: string,
): CitedDifference[] {
  if (typeof asked !== "string" || typeof shown !== "string") return [];
  if (asked.toLowerCase() === shown.toLowerCase()) return [];
  return [
    { pointer, expected: `${JSON.stringify(asked)}, as requested`, actual: describeJson(shown), clause },
  ];
}

function amountDifference(
  asked: Json | undefined,
  order: JsonObject,
  field: string,
  pointer: string,
  clause: string,
): CitedDifference[] {
  const text = asked instanceof JsonNumber ? asked.lexeme : typeof asked === "string" ? asked : undefined;
  const wanted = text === undefined ? undefined : parseDecimal(text, "lax");
  const shown = textField(order, field);
  if (text === undefined || wanted === undefined || shown === undefined) return [];
  if (decimalField(order, field)?.eq(wanted) === true) return [];
  return [
    {
      pointer: `${pointer}/${field}`,
      expected: `${plain(wanted)}, as requested`,
      actual: JSON.stringify(shown),
      clause: clauseOf(text, wanted, clause),
    },
  ];
}

/** The clause for this spelling of a number: plain numbers must be echoed; odd and very fine ones only should be. */
function clauseOf(text: string, wanted: ExactDecimal, clause: string): string {
  if (parseDecimal(text) === undefined) return "REQ-26";
  return scaleOf(plain(wanted)) > mostDigits ? "REQ-25" : clause;
}

/** A new order that has already ended without a fill; a status such as OPEN is expected. */
function overAtOnce(order: JsonObject, pointer: string): CitedDifference[] {
  const status = textField(order, "status") ?? "";
  if (!["CANCELLED", "EXPIRED", "FAILED"].includes(status)) return [];
  return [
    {
      pointer: `${pointer}/status`,
      expected: "a status such as OPEN",
      actual: status,
      clause: "STA-02",
    },
  ];
}
