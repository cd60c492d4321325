/** Differences between a repeat and its original order (PLC-14): the answer is the same and names them. */
import type { PlaceOrder } from "../domain/command.ts";
import type { Order } from "../domain/order.ts";
import { lotsOf, ticksOf, unitsOf } from "../domain/steps.ts";
import type { Decision } from "./decision.ts";
import type { VenueState } from "./state.ts";

export const repeated = (state: VenueState, order: Order, command: PlaceOrder): Decision => ({
  outcome: {
    kind: "replayed",
    order: order.terms.number,
    differs: differingParameters(state, order, command),
  },
  events: [],
});

/** Names of the fields that the repeat uses and that the original order does not have, or has with another value. */
function differingParameters(state: VenueState, { terms }: Order, command: PlaceOrder): readonly string[] {
  const { product } = state.market(terms.product);
  const differs: string[] = [];
  if (command.product !== product.id) differs.push("product");
  if (command.side !== terms.side) differs.push("side");
  if (command.type !== terms.type) differs.push("type");
  const compare = <T>(
    field: string,
    asked: string | null,
    original: T | null,
    read: (text: string) => T | null,
  ) => {
    if (asked !== null && (original === null || read(asked) !== original)) differs.push(field);
  };
  const { baseQuantity, price, stopPrice, quoteValue } = command;
  compare("base_quantity", baseQuantity, terms.quantity, (text) => lotsOf(product, text));
  compare("price", price, terms.price, (text) => ticksOf(product, text));
  compare("stop_price", stopPrice, terms.stopPrice, (text) => ticksOf(product, text));
  compare("quote_value", quoteValue, terms.budget, (text) => unitsOf(text, product.quote.scale));
  return differs;
}
