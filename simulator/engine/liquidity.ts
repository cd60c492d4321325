/**
 * The synthetic market takes its old liquidity out and puts new liquidity in. New levels may trade with clients' resting
 * orders, as takers at the makers' prices: so a moving market fills resting orders.
 *
 * It is no client: it pays no fees, has no limits, and self-trade prevention never sees it.
 */
import { type Lots, lots, type Ticks } from "../domain/amount.ts";
import type { Command } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import type { Product } from "../domain/market.ts";
import type { FeeRates, Side } from "../domain/order.ts";
import { lotsOf, ticksOf } from "../domain/steps.ts";
import { marketOwner, syntheticOrder } from "./book/order-book.ts";
import { type Decision, done, invalid, noProduct, offLot, offTick } from "./decision.ts";
import { noFees } from "./fees.ts";
import { Walk } from "./match.ts";
import type { Market, VenueState } from "./state.ts";

interface Level {
  readonly side: Side;
  readonly price: Ticks;
  readonly quantity: Lots;
}

export function decideRefresh(state: VenueState, command: Command<"RefreshLiquidity">): Decision {
  const market = state.marketOf(command.product);
  if (market === null) return noProduct(command.product, state.world.products);
  const levels: Level[] = [];
  for (const [index, level] of command.levels.entries()) {
    const read = readAmounts(market.product, level, `levels[${index}].`);
    if ("outcome" in read) return read;
    levels.push({ side: level.side, ...read });
  }
  const bids = levels.filter(({ side }) => side === "BUY").sort((a, b) => b.price - a.price);
  const asks = levels.filter(({ side }) => side === "SELL").sort((a, b) => a.price - b.price);
  const [[bid], [ask]] = [bids, asks];
  if (bid !== undefined && ask !== undefined && bid.price >= ask.price)
    return invalid("levels", "The best BUY level must be below the best SELL level");
  const cleared: Event = { kind: "LiquidityCleared", product: market.product.index };
  return done([cleared, ...enter(state, market, "BUY", bids), ...enter(state, market, "SELL", asks)]);
}

/** Levels of one side, best first. Only one side can trade: neither these levels nor the book cross themselves. */
function enter(state: VenueState, market: Market, side: Side, levels: readonly Level[]): readonly Event[] {
  const taker = {
    number: syntheticOrder,
    owner: marketOwner,
    side,
    budget: null,
    rates: free,
    tally: noFees,
  };
  const walk = new Walk(state, market, taker);
  for (const { price, quantity } of levels) {
    const rest = walk.run(price, quantity).remaining ?? 0;
    if (rest > 0)
      walk.events.push({
        kind: "LiquidityRested",
        product: market.product.index,
        side,
        price,
        quantity: lots(rest),
      });
  }
  return walk.events;
}

const free: FeeRates = { makerCommission: 0n, takerCommission: 0n, makerExchange: 0n, takerExchange: 0n };

/** A trade of the synthetic market with itself: it moves the last price, the candles and the stops, and no money. */
export function decidePrint(state: VenueState, command: Command<"PrintTrade">): Decision {
  const market = state.marketOf(command.product);
  if (market === null) return noProduct(command.product, state.world.products);
  const read = readAmounts(market.product, command);
  if ("outcome" in read) return read;
  const trade = state.trades + 1;
  return done([{ kind: "TradePrinted", trade, product: market.product.index, ...read }], trade);
}

function readAmounts(
  product: Product,
  given: Pick<Command<"PrintTrade">, "price" | "quantity">,
  prefix = "",
): Omit<Level, "side"> | Decision {
  const price = ticksOf(product, given.price);
  if (price === null) return offTick(`${prefix}price`, given.price, product);
  const quantity = lotsOf(product, given.quantity);
  if (quantity === null) return offLot(`${prefix}quantity`, given.quantity, product);
  return { price, quantity };
}
