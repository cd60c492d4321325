/**
 * The synthetic market takes its old liquidity out and puts new liquidity in. New levels may trade with clients' resting
 * orders, as takers at the makers' prices: so a moving market fills resting orders. So do the trades that it prints.
 *
 * It is no client: it pays no fees, has no limits, and self-trade prevention never sees it.
 */
import { type Lots, lots, type Ticks } from "../domain/amount.ts";
import type { Command } from "../domain/command.ts";
import type { Event } from "../domain/event.ts";
import type { Product } from "../domain/market.ts";
import type { Side } from "../domain/order.ts";
import { lotsOf, ticksOf } from "../domain/steps.ts";
import { marketOwner, syntheticOrder } from "./book/order-book.ts";
import { type Decision, done, invalid, noProduct, offLot, offTick } from "./decision.ts";
import { noFees } from "./fees.ts";
import { type MatchPlan, type Taker, Walk } from "./match.ts";
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
  const walk = new Walk(state, market, { ...syntheticTaker, side });
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

const syntheticTaker: Omit<Taker, "side"> = {
  number: syntheticOrder,
  owner: marketOwner,
  budget: null,
  rates: { makerCommission: 0n, takerCommission: 0n, makerExchange: 0n, takerExchange: 0n },
  tally: noFees,
};

/**
 * A trade of the synthetic market at a price. It takes clients' orders at that price or a better one first, as any taker
 * would have to. What they leave of it is a trade of the market with itself: it moves the last price, the candles and the
 * stops, and no money. The market's own levels stay as they are.
 */
export function decidePrint(state: VenueState, command: Command<"PrintTrade">): Decision {
  const market = state.marketOf(command.product);
  if (market === null) return noProduct(command.product, state.world.products);
  const read = readAmounts(market.product, command);
  if ("outcome" in read) return read;
  const { price, quantity } = read;
  const take = (side: Side): MatchPlan =>
    new Walk(state, market, { ...syntheticTaker, side }).run(price, quantity);
  // At one price there are bids or asks of clients, never both.
  const sold = take("SELL");
  const { events, remaining } = sold.events.length > 0 ? sold : take("BUY");
  const taken = events.filter((event) => event.kind === "Traded").length;
  if (remaining === 0) return done(events, state.trades + taken);
  const trade = state.trades + taken + 1;
  const rest = lots(remaining ?? quantity);
  return done(
    [...events, { kind: "TradePrinted", trade, product: market.product.index, price, quantity: rest }],
    trade,
  );
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
