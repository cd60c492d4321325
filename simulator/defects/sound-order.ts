/** An order that the demo world accepts, for bugs that make an order from a body that is none. */
import { type OrderBody, reading } from "../variations/changed-call.ts";
import type { BrokenCall, Decorators } from "../variations/defect.ts";

/** A size, a price and an amount to spend that the demo world takes. */
export const some = { base_quantity: "0.01", price: "1000", quote_value: "10", stop_price: "1000" };

export const when = (
  test: (body: OrderBody) => boolean,
  change: (body: OrderBody, call: BrokenCall) => OrderBody,
): NonNullable<Decorators["route"]> => reading((body, call) => (test(body) ? change(body, call) : null));

export const isType = (type: string) => (body: OrderBody) => body["type"] === type;

export const amounts = ["base_quantity", "quote_value", "price", "stop_price"];

export const tradable = (call: BrokenCall): string =>
  [...call.state.markets].find(({ apiEnabled }) => apiEnabled)?.product.id ?? "BTC-USD";
