/**
 * Invariants after every command. `checkTouched` checks the changes of the command and costs very little;
 * `audit` adds everything up and runs at start, at every snapshot and on demand. A violation is a bug: the venue stops
 * and keeps the evidence.
 */
import type { Client } from "../domain/account.ts";
import type { Event } from "../domain/event.ts";
import { InvariantViolation, invariant } from "../domain/invariant.ts";
import { isTerminal, type Order, type OrderNumber, type Side } from "../domain/order.ts";
import { noSlot, syntheticOrder } from "./book/order-book.ts";
import { holdAsset, stillCosts } from "./holds.ts";
import { type Market, remainingLots, type VenueState } from "./state.ts";

export function checkTouched(state: VenueState, events: readonly Event[]): void {
  for (const event of events) {
    switch (event.kind) {
      case "OrderAccepted":
        checkOrder(state, state.order(event.terms.number));
        break;
      case "Traded":
        for (const number of [event.taker, event.maker]) {
          if (number === syntheticOrder) continue;
          checkOrder(state, state.order(number));
          checkHold(state, state.order(number));
        }
        checkNotCrossed(state.market(event.product));
        break;
      case "OrderRested":
      case "OrderReduced":
      case "OrderClosed": {
        const order = state.order(event.order);
        checkOrder(state, order);
        if (event.kind === "OrderReduced") checkHold(state, order);
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
  const problem = problemOf(order);
  if (problem !== null) throw new InvariantViolation(`order ${number} ${problem}`);
  const { product } = state.market(order.terms.product);
  checkWallet(state, client, product.quote.index);
  checkWallet(state, client, product.base.index);
}

/** An open order holds at least what the rest of it can cost. */
function checkHold(state: VenueState, order: Order): void {
  const rest = stillCosts(state, order);
  if (!isTerminal(order.status) && order.hold < rest)
    throw new InvariantViolation(
      `order ${order.terms.number} holds ${order.hold} and can still cost ${rest}`,
    );
}

/** A violation by a single order, as the rest of a sentence; null if there is none. */
function problemOf(order: Order): string | null {
  const { quantity, budget, side } = order.terms;
  const { status, filled, filledValue, hold } = order;
  const fees = order.commission + order.exchangeFee;
  if (quantity !== null && filled + order.removed > quantity) return "is filled beyond its quantity";
  if (budget !== null && filledValue + fees > budget)
    return `spent ${filledValue + fees}, its budget was ${budget}`;
  if (hold < 0n) return "has a negative hold";
  if (isTerminal(status) && (hold !== 0n || order.slot >= 0)) return "has ended and still holds funds";
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
  if (bid !== null && ask !== null && bid >= ask)
    throw new InvariantViolation(`the book of ${market.product.id} is crossed: ${bid} >= ${ask}`);
}

/** Funds conserved per asset, holds equal to open commitments, books sound, indexes complete. */
export function audit(state: VenueState): void {
  auditFunds(state);
  const resting = state.markets.map(restingIn);
  let ids = 0;
  for (const client of state.clients) {
    auditOpenOrders(state, client, resting);
    ids += client.orderIds.size;
  }
  for (const sides of resting)
    for (const number of [...sides.BUY.keys(), ...sides.SELL.keys()]) throw misplaced(number);
  invariant(ids === state.orders.size, "every order has its client_order_id in the index");
}

function auditFunds(state: VenueState): void {
  for (const asset of state.world.assets) {
    let total = 0n;
    for (const client of state.clients) total += client.wallets.get(asset.index)?.balance ?? 0n;
    for (const account of state.ledger.venue.values()) total += account.get(asset.index) ?? 0n;
    invariant(total === 0n, `${asset.symbol} is not conserved: the ledger is off by ${total}`);
  }
}

/** The slots of the orders of clients on each side of a book. */
type Resting = Readonly<Record<Side, Map<OrderNumber, number>>>;

const misplaced = (order: OrderNumber): InvariantViolation =>
  new InvariantViolation(`order ${order} and its place in the book disagree`);

/** The resting orders of a market, after a check of its book. */
function restingIn(market: Market): Resting {
  checkNotCrossed(market);
  return { BUY: auditSide(market, "BUY"), SELL: auditSide(market, "SELL") };
}

function auditSide({ book, product }: Market, side: Side): Map<OrderNumber, number> {
  const slots = new Map<OrderNumber, number>();
  let depth = 0;
  for (const slot of book.slots(side)) {
    const order = book.order(slot);
    const remaining = book.remaining(slot);
    if (!(remaining > 0)) throw new InvariantViolation(`an empty slot stands in the book of ${product.id}`);
    depth += remaining;
    if (order === syntheticOrder) continue;
    if (slots.has(order)) throw misplaced(order);
    slots.set(order, slot);
  }
  const shown = book.depth(side, Number.POSITIVE_INFINITY).reduce((sum, level) => sum + level.quantity, 0);
  invariant(shown === depth, `level totals of ${product.id} do not add up`);
  return slots;
}

/** Takes out of `resting` what it has met. */
function auditOpenOrders(state: VenueState, client: Client, resting: readonly Resting[]): void {
  const committed = new Map<number, bigint>();
  for (const number of client.openOrders) {
    const order = state.orders.get(number);
    if (order === undefined) throw new InvariantViolation(`open order ${number} does not exist`);
    if (isTerminal(order.status))
      throw new InvariantViolation(`order ${number} is listed as open and is ${order.status}`);
    const asset = holdAsset(state, order);
    committed.set(asset, (committed.get(asset) ?? 0n) + order.hold);
    auditPlace(state, order, resting[order.terms.product]?.[order.terms.side]);
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

function auditPlace(state: VenueState, order: Order, slots: Resting[Side] | undefined): void {
  const { number, product } = order.terms;
  const slot = slots?.get(number) ?? noSlot;
  if (order.slot !== slot || (order.phase === "resting") !== (slot !== noSlot)) throw misplaced(number);
  if (slot === noSlot) return;
  slots?.delete(number);
  const left = remainingLots(order);
  const shown = state.market(product).book.remaining(slot);
  if (left !== shown)
    throw new InvariantViolation(`order ${number} has ${left} lots left and ${shown} in the book`);
}
