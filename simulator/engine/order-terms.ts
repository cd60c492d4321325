/** The terms of a new order, from decimals as the client wrote them to whole ticks, lots and units: on the grid of its product. */
import type { Client } from "../domain/account.ts";
import type { Lots, Ticks, Units } from "../domain/amount.ts";
import type { PlaceOrder } from "../domain/command.ts";
import { type DecimalText, formatScaled, fractionDigits, scaleToNumber } from "../domain/decimal-text.ts";
import type { Product } from "../domain/market.ts";
import type { OrderTerms } from "../domain/order.ts";
import type { Rejection } from "../domain/rejection.ts";
import { lotsOf, lotsText, ticksOf, ticksText, unitsOf } from "../domain/steps.ts";
import { refusedByExchange, type Stamp } from "./decision.ts";
import { holdFor } from "./holds.ts";

/** Terms, with the hold that they need. */
export interface Priced {
  readonly terms: OrderTerms;
  readonly hold: Units;
}

export function readTerms(
  stamp: Stamp,
  command: PlaceOrder,
  client: Client,
  product: Product,
): Priced | Rejection {
  const refusals: Rejection[] = [];
  const terms: OrderTerms = {
    number: stamp.seq,
    client: command.client,
    product: product.index,
    clientOrderId: command.clientOrderId,
    side: command.side,
    type: command.type,
    quantity: readLots(product, command.baseQuantity, refusals),
    price: readTicks(product, "price", command.price, refusals),
    stopPrice: readTicks(product, "stop_price", command.stopPrice, refusals),
    budget: readBudget(product, command.quoteValue, refusals),
    rates: client.rates,
    createdAt: stamp.at,
  };
  return refusals[0] ?? { terms, hold: holdFor(terms, product) };
}

function readLots(product: Product, text: string | null, refusals: Rejection[]): Lots | null {
  const quantity = text === null ? null : lotsOf(product, text);
  const { lotUnit, lotScale, base } = product;
  if (text !== null && quantity === null)
    refusals.push(
      tooLarge("base_quantity", text, lotUnit, lotScale, base.symbol) ??
        offIncrement("base_quantity", text, lotsText(product, 1), base.symbol),
    );
  return quantity;
}

function readTicks(
  product: Product,
  field: "price" | "stop_price",
  text: string | null,
  refusals: Rejection[],
): Ticks | null {
  const price = text === null ? null : ticksOf(product, text);
  const { tickUnit, priceScale, quote } = product;
  if (text !== null && price === null)
    refusals.push(
      tooLarge(field, text, tickUnit, priceScale, quote.symbol) ??
        offIncrement(field, text, ticksText(product, 1), quote.symbol),
    );
  return price;
}

function readBudget({ quote }: Product, text: string | null, refusals: Rejection[]): Units | null {
  if (text === null) return null;
  // as: a command's decimals are well spelled.
  if (fractionDigits(text as DecimalText) <= quote.precision) return unitsOf(text, quote.scale);
  refusals.push(offIncrement("quote_value", text, formatScaled(1, quote.precision), quote.symbol));
  return null;
}

function offIncrement(field: string, text: string, increment: string, symbol: string): Rejection {
  const reason = field.endsWith("price") ? "INVALID_PRICE_INCREMENT" : "INVALID_SIZE_INCREMENT";
  const message = `${field} must be a whole multiple of ${increment} ${symbol}, was ${text}`;
  return refusedByExchange(reason, message, { field, expected: increment });
}

/** F-amount-range: on its grid perhaps, and no safe integer of its steps. Null when it is not that. */
function tooLarge(
  field: string,
  value: string,
  unit: number,
  scale: number,
  asset: string,
): Rejection | null {
  // as: a command's decimals are well spelled.
  const spelled = value as DecimalText;
  if (fractionDigits(spelled) > scale || scaleToNumber(spelled, scale) !== null) return null;
  const largest = BigInt(Number.MAX_SAFE_INTEGER);
  const limit = formatScaled(largest - (largest % BigInt(unit)), scale);
  const message = `${field} ${value} is above ${limit}, the largest that this exchange can hold for the product`;
  return refusedByExchange("AMOUNT_TOO_LARGE", message, { field, value, limit, asset });
}
