/** A trade moves money, fills both sides, leaves the book, prints on the tape and wakes stops. */
import { addUnits, lots, noUnits, type Units, units } from "../domain/amount.ts";
import type { Event } from "../domain/event.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import { touchOrder } from "./apply-order.ts";
import { noSlot, syntheticOrder } from "./book/order-book.ts";
import { levelAt, touchBook } from "./changes.ts";
import { addFill, type LiquidityRole, notionalOf } from "./fees.ts";
import { setHold, stillCosts } from "./holds.ts";
import { feeAccount, syntheticMarket } from "./ledger.ts";
import type { Market, VenueState } from "./state.ts";
import { wakeStops } from "./stops.ts";

export function applyTrade(state: VenueState, event: Event<"Traded" | "TradePrinted">, at: number): void {
  if (event.trade !== state.trades + 1)
    throw new InvariantViolation(`trade ${event.trade} does not follow trade ${state.trades}`);
  state.trades = event.trade;
  const market = state.market(event.product);
  if (event.kind === "Traded") settleTrade(state, market, event, at);
  const takerSide = event.kind === "Traded" ? event.takerSide : "BUY";
  market.tape.print({ trade: event.trade, at, price: event.price, quantity: event.quantity, takerSide });
  wakeStops(state, market, event.price);
}

/** A trade on its way through wallets, orders and the book. */
interface Settlement {
  readonly state: VenueState;
  readonly market: Market;
  readonly event: Event<"Traded">;
  readonly notional: Units;
  readonly base: Units;
  readonly at: number;
}

function settleTrade(state: VenueState, market: Market, event: Event<"Traded">, at: number): void {
  const { product } = market;
  const notional = notionalOf(product, event.price, event.quantity);
  const base = units(BigInt(event.quantity) * product.unitsPerLot);
  const settlement = { state, market, event, notional, base, at };
  takeFromBook(settlement);
  if (event.maker === syntheticOrder || event.taker === syntheticOrder) market.liquidityTouched = true;
  const [buyer, seller] = event.takerSide === "BUY" ? [event.taker, event.maker] : [event.maker, event.taker];
  const from = ownerOf(state, buyer);
  const to = ownerOf(state, seller);
  state.ledger.transfer(from, to, product.quote.index, notional, at);
  state.ledger.transfer(to, from, product.base.index, base, at);
  fillSide(settlement, "taker");
  fillSide(settlement, "maker");
}

const ownerOf = (state: VenueState, order: number): number =>
  order === syntheticOrder ? syntheticMarket : state.order(order).terms.client;

function takeFromBook({ state, market, event, at }: Settlement): void {
  const { maker, quantity } = event;
  const order = maker === syntheticOrder ? null : state.order(maker);
  // A course fills an order that never came to the book.
  if (order?.phase === "queued") return;
  const side = event.takerSide === "BUY" ? "SELL" : "BUY";
  const slot = order === null ? market.book.syntheticAt(side, event.price) : order.slot;
  if (slot === noSlot)
    throw new InvariantViolation(`trade with ${maker}, which is not in the book at ${event.price}`);
  // The sandbox can fill an order at a better price than that at which it rests.
  const price = market.book.price(slot);
  if (market.book.remaining(slot) < quantity)
    throw new InvariantViolation(`trade of more than the maker ${maker} has`);
  const gone = market.book.reduce(slot, quantity);
  if (gone && order !== null) order.slot = noSlot;
  touchBook(state, market, [levelAt(market, side, price)], at);
}

/** One side of the trade: sums of the record, fees to the fee account, and the charge out of the hold. */
function fillSide({ state, market, event, notional, base, at }: Settlement, liquidity: LiquidityRole): void {
  const [number, charge] =
    liquidity === "taker" ? [event.taker, event.takerCharge] : [event.maker, event.makerCharge];
  if (number === syntheticOrder) return;
  const order = state.order(number);
  const { client, side, rates } = order.terms;
  const { quote } = market.product;
  const tally = addFill(order, notional, rates, liquidity, side, quote);
  const commission = tally.commission - order.commission;
  const exchangeFee = tally.exchangeFee - order.exchangeFee;
  if (commission !== charge.commission || exchangeFee !== charge.exchangeFee)
    throw new InvariantViolation(
      `order ${number} was charged other fees than the ${commission} + ${exchangeFee} that are due`,
    );
  order.filled = lots(order.filled + event.quantity);
  Object.assign(order, tally);
  const { volumes } = state.client(client);
  volumes.set(quote.index, addUnits(volumes.get(quote.index) ?? noUnits, notional));
  const fee = addUnits(charge.commission, charge.exchangeFee);
  state.ledger.transfer(client, feeAccount, quote.index, fee, at);
  setHold(state, order, order.hold - (side === "SELL" ? base : notional + fee), at);
  // F-improvement-release: the amount that a better price saved, its fees included, leaves the hold at once or when the order ends.
  if (state.settings.releaseImprovement === "per-fill") setHold(state, order, stillCosts(state, order), at);
  touchOrder(state, order, at);
}
