/** What a repeated `client_order_id` asked for differently (PLC-14): the answer is the same, but it says so. */
import { pow10 } from "../domain/amount.ts";
import type { PlaceOrder } from "../domain/command.ts";
import { type DecimalText, scaleDecimal } from "../domain/decimal-text.ts";
import type { Order } from "../domain/order.ts";
import type { VenueState } from "./state.ts";

const FINEST = 20;

/** Names of the fields that the repeat uses and that the original order does not have, or has with another value. */
export function differingParameters(state: VenueState, order: Order, command: PlaceOrder): readonly string[] {
  const { terms } = order;
  const { product } = state.market(terms.product);
  const differs: string[] = [];
  if (command.product !== product.id) differs.push("product");
  if (command.side !== terms.side) differs.push("side");
  if (command.type !== terms.type) differs.push("type");
  const compare = (field: string, asked: string | null, original: bigint | null, scale: number): void => {
    if (asked === null) return;
    const value = scaleDecimal(asked as DecimalText, FINEST);
    if (original === null || value !== original * pow10(FINEST - scale)) differs.push(field);
  };
  const steps = (count: number | null, unit: number): bigint | null =>
    count === null ? null : BigInt(count) * BigInt(unit);
  const { baseQuantity, price, stopPrice, quoteValue } = used(command);
  compare("base_quantity", baseQuantity, steps(terms.quantity, product.lotUnit), product.lotScale);
  compare("price", price, steps(terms.price, product.tickUnit), product.priceScale);
  compare("stop_price", stopPrice, steps(terms.stopPrice, product.tickUnit), product.priceScale);
  compare("quote_value", quoteValue, terms.budget, product.quote.scale);
  return differs;
}

/** The amounts of the command that its type uses; the others are ignored, whatever they are. */
function used(command: PlaceOrder): Pick<PlaceOrder, "baseQuantity" | "price" | "stopPrice" | "quoteValue"> {
  const { type, side, baseQuantity, price, stopPrice, quoteValue } = command;
  const isMarketBuy = type === "MARKET" && side === "BUY";
  return {
    baseQuantity: isMarketBuy ? null : baseQuantity,
    price: type === "MARKET" ? null : price,
    stopPrice: type === "STOP_LIMIT" ? stopPrice : null,
    quoteValue: isMarketBuy ? quoteValue : null,
  };
}
