/** A trade of the synthetic market with itself: it moves the last price, the candles and the stops, and no money. */
import { lots, ticks } from "../domain/amount.ts";
import type { Command } from "../domain/command.ts";
import { type Decision, done, noProduct, offLot, offTick } from "./decision.ts";
import { onGrid } from "./liquidity.ts";
import type { VenueState } from "./state.ts";

export function decidePrint(state: VenueState, command: Extract<Command, { kind: "PrintTrade" }>): Decision {
  const market = state.marketOf(command.product);
  if (market === null) return noProduct(command.product, state.world.products);
  const { product } = market;
  const price = onGrid(command.price, product.priceScale, product.tickUnit);
  if (price === null) return offTick("price", command.price, product);
  const quantity = onGrid(command.quantity, product.lotScale, product.lotUnit);
  if (quantity === null) return offLot("quantity", command.quantity, product);
  const trade = state.trades + 1;
  return done(
    [{ kind: "TradePrinted", trade, product: product.index, price: ticks(price), quantity: lots(quantity) }],
    trade,
  );
}
