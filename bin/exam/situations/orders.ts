/** The orders of the tasks: they rest in the book until a situation does something to them. */
import type { OrderBody } from "../situation.ts";

export const product = "BTC-USD";

export const resting = (base_quantity: string, price: string): OrderBody => ({
  product,
  side: "BUY",
  type: "LIMIT",
  base_quantity,
  price,
});

export const first = resting("0.3", "30000.10");
export const second = resting("0.07", "31000.70");
