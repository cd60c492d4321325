/**
 * The synthetic market takes its old liquidity out and puts new liquidity in. New levels may trade with clients' resting
 * orders, as takers at the makers' prices: that is how a market that walks fills an order that waited for it.
 *
 * It is no client: it pays no fees, has no limits, and self-trade prevention never sees it.
 */
import { type Lots, lots, type Ticks, ticks, units } from "../domain/amount.ts";
import type { SyntheticLevel } from "../domain/command.ts";
import { fractionDigits, scaleToNumber, spellDecimal } from "../domain/decimal-text.ts";
import type { Event } from "../domain/event.ts";
import type { Product } from "../domain/market.ts";
import type { Side } from "../domain/order.ts";
import { SYNTHETIC } from "./book/order-book.ts";
import { type Decision, done, invalid, offLot, offTick } from "./decision.ts";
import { addFill } from "./fees.ts";
import { notionalOf } from "./market-buy-sizing.ts";
import { closeCompleted, tallyOf } from "./match.ts";
import type { Market, VenueState } from "./state.ts";

interface Level {
  readonly side: Side;
  readonly price: Ticks;
  readonly quantity: Lots;
}

export function decideRefresh(state: VenueState, market: Market, given: readonly SyntheticLevel[]): Decision {
  const levels: Level[] = [];
  for (const [index, level] of given.entries()) {
    const read = readLevel(market.product, level, `levels[${index}]`);
    if ("outcome" in read) return read;
    levels.push(read);
  }
  if (cross(levels)) return invalid("levels", "The best BUY level must stand below the best SELL level");
  const product = market.product.index;
  const events: Event[] = [{ kind: "LiquidityCleared", product }];
  let trade = state.trades;
  for (const side of ["BUY", "SELL"] as const) {
    const crossing = new Crossing(state, market, side, trade);
    for (const level of levels.filter((l) => l.side === side).sort(bestFirst(side))) {
      const rest = crossing.take(level, events);
      if (rest > 0)
        events.push({ kind: "LiquidityRested", product, side, price: level.price, quantity: lots(rest) });
    }
    trade = crossing.trade;
  }
  return done(events);
}

/** The synthetic market does not trade with itself: its best BUY level stands below its best SELL level. */
function cross(levels: readonly Level[]): boolean {
  const [bid] = levels.filter((level) => level.side === "BUY").sort(bestFirst("BUY"));
  const [ask] = levels.filter((level) => level.side === "SELL").sort(bestFirst("SELL"));
  return bid !== undefined && ask !== undefined && bid.price >= ask.price;
}

const bestFirst =
  (side: Side) =>
  (a: Level, b: Level): number =>
    side === "BUY" ? b.price - a.price : a.price - b.price;

/** Clients' resting orders on the far side, consumed level by level without touching the book. */
class Crossing {
  trade: number;
  private readonly market: Market;
  private readonly state: VenueState;
  private readonly side: Side;
  private readonly slots: IterableIterator<number>;
  private slot: number | null = null;
  private left = 0;

  constructor(state: VenueState, market: Market, side: Side, trade: number) {
    this.state = state;
    this.market = market;
    this.side = side;
    this.trade = trade;
    this.slots = market.book.slots(side === "BUY" ? "SELL" : "BUY");
  }

  /** Trades what crosses; returns the lots of the level that are left to rest. */
  take(level: Level, events: Event[]): number {
    let wanted: number = level.quantity;
    while (wanted > 0) {
      if (this.left === 0 && !this.advance()) break;
      const slot = this.slot;
      if (slot === null) break;
      const price = this.market.book.price(slot);
      if (this.side === "BUY" ? price > level.price : price < level.price) break;
      const quantity = lots(Math.min(wanted, this.left));
      this.left -= quantity;
      wanted -= quantity;
      this.trade++;
      events.push(this.fill(slot, price, quantity));
      if (this.left === 0) events.push(closeCompleted(this.state.order(this.market.book.order(slot))));
    }
    return wanted;
  }

  private advance(): boolean {
    for (let next = this.slots.next(); !next.done; next = this.slots.next()) {
      if (this.market.book.order(next.value) === SYNTHETIC) continue;
      this.slot = next.value;
      this.left = this.market.book.remaining(next.value);
      this.tally = tallyOf(this.state.order(this.market.book.order(next.value)));
      return true;
    }
    this.slot = null;
    return false;
  }

  private tally = {
    value: units(0n),
    commissionExact: 0n,
    exchangeFeeExact: 0n,
    commission: units(0n),
    exchangeFee: units(0n),
  };

  private fill(slot: number, price: Ticks, quantity: Lots): Event {
    const { book, product } = this.market;
    const maker = this.state.order(book.order(slot));
    const before = this.tally;
    const notional = notionalOf(product, price, quantity);
    const after = addFill(before, notional, maker.terms.rates, "maker", maker.terms.side, product.quote);
    this.tally = after;
    return {
      kind: "Traded",
      trade: this.trade,
      product: product.index,
      price,
      quantity,
      takerSide: this.side,
      taker: SYNTHETIC,
      maker: maker.terms.number,
      takerCharge: { commission: units(0n), exchangeFee: units(0n) },
      makerCharge: {
        commission: units(after.commission - before.commission),
        exchangeFee: units(after.exchangeFee - before.exchangeFee),
      },
    };
  }
}

function readLevel(product: Product, level: SyntheticLevel, at: string): Level | Decision {
  const price = onGrid(level.price, product.priceScale, product.tickUnit);
  if (price === null) return offTick(`${at}.price`, level.price, product);
  const quantity = onGrid(level.quantity, product.lotScale, product.lotUnit);
  if (quantity === null) return offLot(`${at}.quantity`, level.quantity, product);
  return { side: level.side, price: ticks(price), quantity: lots(quantity) };
}

/** A positive decimal as a whole number of increments, or null when it is not one. */
export function onGrid(text: string, scale: number, unit: number): number | null {
  const spelled = spellDecimal(text);
  if (spelled === null || fractionDigits(spelled) > scale) return null;
  const scaled = scaleToNumber(spelled, scale);
  return scaled === null || scaled === 0 || scaled % unit !== 0 ? null : scaled / unit;
}
