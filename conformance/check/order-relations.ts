import type { Difference } from "../model/finding.ts";
import type { JsonObject } from "../model/json.ts";
import { type ExactDecimal, parseDecimal, plain, scaleOf } from "./decimal.ts";
import { describeJson } from "./describe.ts";
import { instantOf } from "./matcher-instant.ts";
import { decimalField, textField } from "./orders-in-reply.ts";

/**
 * Relations between the fields of one order, checked wherever an order is shown. Each relation has two or three fields;
 * if one is null or missing, it is not checked. Sums are compared only to the precision of the shown digits, because
 * rounding is the target's choice.
 */
export type CitedDifference = Difference & { readonly clause: string };

type Relation = (order: JsonObject) => Omit<CitedDifference, "clause" | "pointer"> | undefined;

interface Rule {
  readonly clause: string;
  readonly field: string;
  readonly relation: Relation;
}

const rules: readonly Rule[] = [
  { clause: "ORD-47", field: "quoteValue", relation: quoteValue },
  { clause: "ORD-48", field: "updatedAt", relation: changedAfterCreated },
  { clause: "ORD-53", field: "filledQuantity", relation: filledWithinQuantity },
  { clause: "ORD-54", field: "averageFilledPrice", relation: average },
  { clause: "PLC-31", field: "averageFilledPrice", relation: limitKept },
  { clause: "ORD-56", field: "totalUserRecieveAmount", relation: received },
];

export const relationClauses: readonly string[] = [...new Set(rules.map(({ clause }) => clause))];

export function relationDifferences(order: JsonObject, pointer: string): CitedDifference[] {
  return rules.flatMap(({ clause, field, relation }) => {
    const found = relation(order);
    return found === undefined ? [] : [{ ...found, pointer: `${pointer}/${field}`, clause }];
  });
}

const hasLimit = (order: JsonObject): boolean =>
  ["LIMIT", "STOP_LIMIT"].includes(textField(order, "type") ?? "");

const isMarketBuy = (order: JsonObject): boolean =>
  textField(order, "type") === "MARKET" && textField(order, "side") === "BUY";

/** The value of the last digit: a rounded number is off by at most this. Zeros after the cents may be padding. */
function lastDigit(text: string): ExactDecimal {
  const scale = Math.max(Math.min(2, scaleOf(text)), scaleOf(text.replace(/0+$/, "")));
  return one.div(ten.pow(scale));
}

const one = decimal("1");
const ten = decimal("10");
const cent = decimal("0.01");
const nothing = decimal("0");

function decimal(text: string): ExactDecimal {
  const value = parseDecimal(text);
  if (value === undefined) throw new Error(`${text} is no decimal`);
  return value;
}

function quoteValue(order: JsonObject) {
  const text = textField(order, "quoteValue");
  const quantity = decimalField(order, "baseQuantity");
  const price = decimalField(order, "limitPrice");
  if (text === undefined || quantity === undefined || price === undefined || !hasLimit(order))
    return undefined;
  const product = quantity.times(price);
  const shown = parseDecimal(text);
  const tolerance = lastDigit(text).lt(cent) ? lastDigit(text) : cent;
  if (shown?.minus(product).abs().lte(tolerance) === true) return undefined;
  return { expected: `baseQuantity × limitPrice, ${plain(product)}`, actual: JSON.stringify(text) };
}

function changedAfterCreated(order: JsonObject) {
  const [created, updated] = ["createdAt", "updatedAt"].map((name) => textField(order, name));
  const [from, to] = [created, updated].map((text) => (text === undefined ? undefined : instantOf(text)));
  if (from === undefined || to === undefined || to >= from) return undefined;
  return { expected: `no time before createdAt, ${created}`, actual: String(updated) };
}

function filledWithinQuantity(order: JsonObject) {
  const filled = decimalField(order, "filledQuantity");
  const quantity = decimalField(order, "baseQuantity");
  // A market buy is sized by its notional; its base quantity promises nothing.
  if (filled === undefined || quantity === undefined || isMarketBuy(order) || filled.lte(quantity))
    return undefined;
  return { expected: `at most baseQuantity, ${plain(quantity)}`, actual: plain(filled) };
}

function average(order: JsonObject) {
  const [quantity, value, shown] = ["filledQuantity", "filledValue", "averageFilledPrice"].map((name) =>
    decimalField(order, name),
  );
  if (quantity === undefined || value === undefined || shown === undefined || !quantity.gt(0))
    return undefined;
  const exact = value.div(quantity);
  const tolerance = priceDigit(order).plus(lastDigit(textField(order, "filledValue") ?? "0").div(quantity));
  if (shown.minus(exact).abs().lte(tolerance)) return undefined;
  return {
    expected: `filledValue ÷ filledQuantity, about ${plain(exact.toSignificantDigits(12))}`,
    actual: plain(shown),
  };
}

/**
 * The last digit to which an average must be exact: it has at least the digits of a price, and the limit is a price.
 */
function priceDigit(order: JsonObject): ExactDecimal {
  const [average, limit] = ["averageFilledPrice", "limitPrice"].map((name) => textField(order, name));
  const shown = lastDigit(average ?? "0");
  const asked = lastDigit(limit ?? "0");
  return hasLimit(order) && asked.lt(shown) ? asked : shown;
}

function limitKept(order: JsonObject) {
  const limit = decimalField(order, "limitPrice");
  const text = textField(order, "averageFilledPrice");
  const paid = decimalField(order, "averageFilledPrice");
  if (limit === undefined || text === undefined || paid?.gt(0) !== true || !hasLimit(order)) return undefined;
  const buys = textField(order, "side") === "BUY";
  const worse = buys ? paid.minus(limit) : limit.minus(paid);
  if (worse.lte(lastDigit(text).plus(roundingOfFills(order)))) return undefined;
  return { expected: `${plain(limit)} or ${buys ? "less" : "more"}, the limit`, actual: text };
}

/** The largest error of an average over ten fills with rounded values: to cents, or else to eight decimals. */
function roundingOfFills(order: JsonObject): ExactDecimal {
  const value = textField(order, "filledValue");
  const quantity = decimalField(order, "filledQuantity");
  if (value === undefined || quantity?.gt(0) !== true) return nothing;
  const unit = scaleOf(value) <= 2 ? cent : one.div(ten.pow(8));
  return unit.times(10).div(quantity);
}

/** The asset that the client receives: base for a buyer, quote for a seller; fees are deducted from it. */
function received(order: JsonObject) {
  const total = decimalField(order, "totalUserRecieveAmount");
  const quantity = decimalField(order, "filledQuantity");
  const value = decimalField(order, "filledValue");
  const over = ["FILLED", "CANCELLED", "EXPIRED"].includes(textField(order, "status") ?? "");
  if (!over || total === undefined || quantity?.gt(0) !== true || value?.gt(0) !== true) return undefined;
  const buys = textField(order, "side") === "BUY";
  const [due, other] = buys ? [quantity, value] : [value, quantity];
  if (total.lte(due) && !isNearer(total, other, due)) return undefined;
  return {
    expected: `at most ${plain(due)}, what was ${buys ? "bought" : "paid"}`,
    actual: describeJson(order.get("totalUserRecieveAmount")),
  };
}

/**
 * Is the total in the other asset? It is if it is at most a tenth of the due amount, and nearer to the amount in the
 * other asset.
 */
function isNearer(total: ExactDecimal, other: ExactDecimal, due: ExactDecimal): boolean {
  if (!total.gt(0) || due.div(total).lt(10)) return false;
  const away = total.gt(other) ? total.div(other) : other.div(total);
  return away.lt(due.div(total));
}
