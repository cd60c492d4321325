/**
 * What must hold after every command. `checkTouched` looks at what the command changed and costs next to nothing;
 * `audit` adds everything up and runs at start, at every snapshot and on demand. A violation is a bug: the venue stops
 * and keeps the evidence.
 */
import type { Client } from "../domain/account.ts";
import type { Event } from "../domain/event.ts";
import { InvariantViolation, invariant } from "../domain/invariant.ts";
import { isTerminal, type Order } from "../domain/order.ts";
import { holdAsset } from "./apply-order.ts";
import { type OrderBook, SYNTHETIC } from "./order-book.ts";
import type { Standing } from "./order-columns.ts";
import type { Market, VenueState } from "./state.ts";

export function checkTouched(state: VenueState, events: readonly Event[]): void {
  for (const event of events) {
    switch (event.kind) {
      case "OrderAccepted":
        checkOrder(state, state.order(event.terms.number));
        break;
      case "Traded":
        if (event.taker !== 0) checkOrder(state, state.order(event.taker));
        if (event.maker !== 0) checkOrder(state, state.order(event.maker));
        checkNotCrossed(state.market(event.product));
        break;
      case "OrderRested":
      case "OrderReduced":
      case "OrderClosed": {
        const order = state.order(event.order);
        checkOrder(state, order);
        checkNotCrossed(state.market(order.terms.product));
        break;
      }
      case "LiquidityRested":
        checkNotCrossed(state.market(event.product));
        break;
      case "BalanceAdjusted":
        checkWallet(state, event.client, event.asset);
        break;
      default:
        break;
    }
  }
}

function checkOrder(state: VenueState, order: Order): void {
  const { number, client } = order.terms;
  const complaint = complaintAbout(order);
  if (complaint !== null) throw new InvariantViolation(`order ${number} ${complaint}`);
  const { product } = state.market(order.terms.product);
  checkWallet(state, client, product.quote.index);
  checkWallet(state, client, product.base.index);
}

/** What is wrong with an order by itself, as the rest of a sentence; null = nothing. */
function complaintAbout(order: Order): string | null {
  const { quantity, budget, side } = order.terms;
  const { status, filled, filledValue, hold } = order;
  const fees = order.commission + order.exchangeFee;
  if (quantity !== null && filled + order.removed > quantity) return "is filled beyond its quantity";
  if (budget !== null && filledValue + fees > budget)
    return `spent ${filledValue + fees}, its budget was ${budget}`;
  if (hold < 0n) return "has a negative hold";
  if (isTerminal(status) && (hold !== 0n || order.slot >= 0)) return "is over and still holds something";
  if (status === "FAILED" && filled !== 0) return "failed after a fill";
  if (status === "FILLED" && quantity !== null && filled !== quantity)
    return `is FILLED with ${filled} of ${quantity} lots`;
  return side === "SELL" && fees > filledValue ? "paid more fees than it sold for" : null;
}

function checkWallet(state: VenueState, client: number, asset: number): void {
  const wallet = state.client(client).wallets.get(asset);
  if (wallet === undefined) return;
  const { hold, balance } = wallet;
  if (hold < 0n || hold > balance)
    throw new InvariantViolation(`client ${client} holds ${hold} of ${balance} in asset ${asset}`);
}

function checkNotCrossed(market: Market): void {
  const bid = market.book.bestPrice("BUY");
  const ask = market.book.bestPrice("SELL");
  invariant(
    bid === null || ask === null || bid < ask,
    `the book of ${market.product.id} is crossed: ${bid} >= ${ask}`,
  );
}

/** Funds conserved per asset, holds equal to open commitments, books sound, indexes complete. */
export function audit(state: VenueState): void {
  auditFunds(state);
  const places = state.markets.map(auditBook);
  for (const client of state.clients) auditOpenOrders(state, client, places);
  for (const [index, sides] of places.entries()) auditRest(state.market(index).book, sides);
  invariant(
    state.clientOrders.size === state.orders.size,
    "every order has its client_order_id in the index",
  );
}

function auditFunds(state: VenueState): void {
  for (const asset of state.world.assets) {
    let total = 0n;
    for (const client of state.clients) total += client.wallets.get(asset.index)?.balance ?? 0n;
    for (const account of state.ledger.venue.values()) total += account.get(asset.index) ?? 0n;
    invariant(total === 0n, `${asset.symbol} is not conserved: the ledger is off by ${total}`);
  }
}

/** By slot of a book: the side that an order of a client stands on, 0 = none that has not been met yet. */
type Places = Uint8Array;

const SIDE_CODES = { BUY: 1, SELL: 2 } as const;

function auditOpenOrders(state: VenueState, client: Client, places: readonly Places[]): void {
  const committed = new Map<number, bigint>();
  for (const number of client.openOrders) {
    const order = state.orders.look(number);
    if (order === undefined) throw new InvariantViolation(`open order ${number} does not exist`);
    if (isTerminal(order.status))
      throw new InvariantViolation(`order ${number} is listed as open and is ${order.status}`);
    const asset = holdAsset(state, order);
    committed.set(asset, (committed.get(asset) ?? 0n) + order.hold);
    const { product } = order.terms;
    if (order.slot >= 0) auditPlace(order, state.market(product).book, places[product]);
  }
  for (const [asset, wallet] of client.wallets) {
    const open = committed.get(asset) ?? 0n;
    invariant(
      wallet.hold === open,
      `client ${client.name} holds ${wallet.hold} where open orders commit ${open}`,
    );
    checkWallet(state, client.index, asset);
  }
}

function auditPlace(order: Standing, book: OrderBook, places: Places | undefined): void {
  const { terms, slot, phase } = order;
  const stands = places?.[slot] === SIDE_CODES[terms.side] && book.order(slot) === terms.number;
  if (places === undefined || !stands || phase !== "resting")
    throw new InvariantViolation(`order ${terms.number} and its place in the book disagree`);
  places[slot] = 0;
  const left = (terms.quantity ?? 0) - order.filled - order.removed;
  const shown = book.remaining(slot);
  if (left !== shown)
    throw new InvariantViolation(`order ${terms.number} has ${left} lots left and ${shown} in the book`);
}

/** Whoever stands in the book and was not met among the open orders has no business there. */
function auditRest(book: OrderBook, places: Places): void {
  const slot = places.findIndex((side) => side !== 0);
  if (slot >= 0) throw new InvariantViolation(`order ${book.order(slot)} and its place in the book disagree`);
}

function auditBook(market: Market): Places {
  checkNotCrossed(market);
  const { book, product } = market;
  const bids = [...book.slots("BUY")];
  const asks = [...book.slots("SELL")];
  const places = new Uint8Array(1 + highest(bids, highest(asks, 0)));
  for (const [side, slots] of [
    ["BUY", bids],
    ["SELL", asks],
  ] as const) {
    let depth = 0;
    for (const slot of slots) {
      const lots = book.remaining(slot);
      depth += lots;
      if (lots <= 0) throw new InvariantViolation(`an empty slot stands in the book of ${product.id}`);
      if (book.order(slot) !== SYNTHETIC) places[slot] = SIDE_CODES[side];
    }
    const levels = book.depth(side, Number.POSITIVE_INFINITY);
    const shown = levels.reduce((sum, level) => sum + level.quantity, 0);
    invariant(shown === depth, `level totals of ${product.id} do not add up`);
  }
  return places;
}

function highest(slots: readonly number[], atLeast: number): number {
  let most = atLeast;
  for (const slot of slots) if (slot > most) most = slot;
  return most;
}
