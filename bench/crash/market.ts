/** Products and prices of the clients of the crash test. */
import { randomUUID } from "node:crypto";
import type { Random } from "../../simulator/engine/testing/random.ts";

/** The demo world without limits of rate and count: the load shall reach the disk, not the limiter. */
export const crashWorld = {
  extends: "demo",
  magic: false,
  settings: { matchDelayMs: 5, syncDelayMs: 5, maxOpenOrders: 1_000_000, rateLimit: { enabled: false } },
};

/** JSON is YAML. */
export const crashWorldText = `${JSON.stringify(crashWorld)}\n`;

export type OrderBody = Readonly<Record<string, string>> & { readonly client_order_id: string };

const markets = [
  { product: "BTC-USD", price: 60_000, step: 0.01 },
  { product: "ETH-USD", price: 3_000, step: 0.01 },
] as const;

/** Mostly limit orders around the touch, some of which trade at once; now and then a market order or a stop. */
export function randomOrder(random: Random): OrderBody {
  const { product, price, step } = random.pick(markets);
  const side = random.pick(["BUY", "SELL"]);
  const order = { product, side, client_order_id: randomUUID() };
  const quantity = (random.int(10, 400) / 10_000).toFixed(4);
  const near = (price * (1 + (random.next() - 0.5) * 0.01) + step).toFixed(2);
  const kind = random.next();
  if (kind < 0.25) {
    return side === "BUY"
      ? { ...order, type: "MARKET", quote_value: String(random.int(50, 2_000)) }
      : { ...order, type: "MARKET", base_quantity: quantity };
  }
  if (kind < 0.3) {
    const away = side === "BUY" ? 1.03 : 0.97;
    const stop = (price * away).toFixed(2);
    return { ...order, type: "STOP_LIMIT", base_quantity: quantity, price: stop, stop_price: stop };
  }
  return { ...order, type: "LIMIT", base_quantity: quantity, price: near };
}
