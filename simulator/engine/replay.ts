/** What a repeated `client_order_id` asked for differently (PLC-14): the answer is the same, but it says so. */
import { pow10 } from "../domain/amount.ts";
import type { PlaceOrder } from "../domain/command.ts";
import { type DecimalText, scaleDecimal } from "../domain/decimal-text.ts";
import type { Order } from "../domain/order.ts";
import type { VenueState } from "./state.ts";

const FINEST = 20;

/** Names of the request fields that are in force for the original order and have another value in the repeat. */
export function differingParameters(state: VenueState, order: Order, command: PlaceOrder): readonly string[] {
  const { terms } = order;
  const { product } = state.market(terms.product);
  const differs: string[] = [];
  if (command.product !== product.id) differs.push("product");
  if (command.side !== terms.side) differs.push("side");
  if (command.type !== terms.type) differs.push("type");
  const compare = (field: string, asked: string | null, original: bigint | null, scale: number): void => {
    if (original === null) return;
    const value = asked === null ? null : scaleDecimal(asked as DecimalText, FINEST);
    if (value !== original * pow10(FINEST - scale)) differs.push(field);
  };
  const steps = (count: number | null, unit: number): bigint | null =>
    count === null ? null : BigInt(count) * BigInt(unit);
  compare("base_quantity", command.baseQuantity, steps(terms.quantity, product.lotUnit), product.lotScale);
  compare("price", command.price, steps(terms.price, product.tickUnit), product.priceScale);
  compare("stop_price", command.stopPrice, steps(terms.stopPrice, product.tickUnit), product.priceScale);
  compare("quote_value", command.quoteValue, terms.budget, product.quote.scale);
  return differs;
}
