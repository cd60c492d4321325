// tidy-allow-file no-non-null: products and assets are indexes, and rows are places in columns that are equally long
/**
 * What must hold after every command. `checkTouched` looks at what the command changed and costs next to nothing;
 * `audit` adds everything up and runs at start, at every snapshot and on demand. A violation is a bug: the venue stops
 * and keeps the evidence.
 */
import type { Client } from "../domain/account.ts";
import type { Event } from "../domain/event.ts";
import { InvariantViolation, invariant } from "../domain/invariant.ts";
import { isTerminal, type Order, type Side } from "../domain/order.ts";
import { stillCosts } from "./holds.ts";
import { type OrderBook, type SideList, SYNTHETIC } from "./order-book.ts";
import { OPEN_STATUS, phaseCode, sideCode, statusName } from "./order-columns.ts";
import { Standings } from "./standings.ts";
import type { Market, VenueState } from "./state.ts";

export function checkTouched(state: VenueState, events: readonly Event[]): void {
  for (const event of events) {
    switch (event.kind) {
      case "OrderAccepted":
        checkOrder(state, state.order(event.terms.number));
        break;
      case "Traded":
        for (const number of [event.taker, event.maker]) {
          if (number === SYNTHETIC) continue;
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
  const complaint = complaintAbout(order);
  if (complaint !== null) throw new InvariantViolation(`order ${number} ${complaint}`);
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
  if (bid !== null && ask !== null && bid >= ask)
    throw new InvariantViolation(`the book of ${market.product.id} is crossed: ${bid} >= ${ask}`);
}

/** Funds conserved per asset, holds equal to open commitments, books sound, indexes complete. */
export function audit(state: VenueState): void {
  auditFunds(state);
  const places = state.markets.map(auditBook);
  const books = { state, places, standings: new Standings(SOME) };
  for (const client of state.clients) auditOpenOrders(state, client, books);
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

const SIDES: readonly Side[] = ["BUY", "SELL"];
const NOWHERE = 0;
const placeCode = (side: number): number => side + 1;
const RESTING = phaseCode("resting");
const BUY = sideCode("BUY");
/** Open orders looked at together. */
const SOME = 1024;

/** What the audit of open orders goes by: a place for each product. */
interface Books {
  readonly state: VenueState;
  readonly places: readonly Places[];
  readonly standings: Standings;
}

function auditOpenOrders(state: VenueState, client: Client, books: Books): void {
  const committed = new Commitments(state.world.assets.length);
  let rows = 0;
  for (const number of client.openOrders.list()) {
    if (!state.orders.standing(number, books.standings, rows++))
      throw new InvariantViolation(`open order ${number} does not exist`);
    if (rows < SOME) continue;
    auditStandings(books, rows, committed);
    rows = 0;
  }
  auditStandings(books, rows, committed);
  for (const [asset, wallet] of client.wallets) {
    const open = committed.of(asset);
    invariant(
      wallet.hold === open,
      `client ${client.name} holds ${wallet.hold} where open orders commit ${open}`,
    );
    checkWallet(state, client.index, asset);
  }
}

function auditStandings({ state, places, standings }: Books, rows: number, committed: Commitments): void {
  const { numbers, statuses, products, sides, slots, phases, left, holds, largeHolds } = standings;
  for (let row = 0; row < rows; row++) {
    if (OPEN_STATUS[statuses[row]!] !== 1)
      throw new InvariantViolation(
        `order ${numbers[row]} is listed as open and is ${statusName(statuses[row]!)}`,
      );
    const { product, book } = state.market(products[row]!);
    const side = sides[row]!;
    const { index } = side === BUY ? product.quote : product.base;
    committed.add(index, Number.isNaN(holds[row]!) ? largeHolds.get(row)! : holds[row]!);
    const slot = slots[row]!;
    if (slot < 0 && phases[row] !== RESTING) continue;
    const at = places[products[row]!]!;
    if (at[slot] !== placeCode(side) || book.order(slot) !== numbers[row] || phases[row] !== RESTING)
      throw new InvariantViolation(`order ${numbers[row]} and its place in the book disagree`);
    at[slot] = NOWHERE;
    const shown = book.remaining(slot);
    if (left[row] !== shown)
      throw new InvariantViolation(
        `order ${numbers[row]} has ${left[row]} lots left and ${shown} in the book`,
      );
  }
}

/** Sums by asset: machine numbers while they are exact, beyond that bigint. */
class Commitments {
  private readonly plain: Float64Array;
  private readonly rest: bigint[];

  constructor(assets: number) {
    this.plain = new Float64Array(assets);
    this.rest = new Array<bigint>(assets).fill(0n);
  }

  add(asset: number, amount: number | bigint): void {
    if (typeof amount === "bigint") {
      this.rest[asset]! += amount;
      return;
    }
    const sum = this.plain[asset]! + amount;
    const isExact = Number.isSafeInteger(sum);
    if (!isExact) this.rest[asset]! += BigInt(this.plain[asset]!);
    this.plain[asset] = isExact ? sum : amount;
  }

  of(asset: number): bigint {
    return BigInt(this.plain[asset]!) + this.rest[asset]!;
  }
}

/** Whoever stands in the book and was not met among the open orders has no business there. */
function auditRest(book: OrderBook, places: Places): void {
  const slot = Math.max(...SIDES.map((side) => places.indexOf(placeCode(sideCode(side)))));
  if (slot >= 0) throw new InvariantViolation(`order ${book.order(slot)} and its place in the book disagree`);
}

function auditBook(market: Market): Places {
  checkNotCrossed(market);
  const { book, product } = market;
  const places = new Uint8Array(book.slotLimit);
  for (const side of SIDES) {
    const depth = markPlaces(book.list(side), sideCode(side), places);
    if (depth === null) throw new InvariantViolation(`an empty slot stands in the book of ${product.id}`);
    const levels = book.depth(side, Number.POSITIVE_INFINITY);
    const shown = levels.reduce((sum, level) => sum + level.quantity, 0);
    invariant(shown === depth, `level totals of ${product.id} do not add up`);
  }
  return places;
}

/** The sum of a side; null when it has an empty slot. */
function markPlaces({ slots, orders, lots }: SideList, side: number, places: Places): number | null {
  const code = placeCode(side);
  let depth = 0;
  for (let at = 0; at < slots.length; at++) {
    if (!(lots[at]! > 0)) return null;
    depth += lots[at]!;
    if (orders[at] !== SYNTHETIC) places[slots[at]!] = code;
  }
  return depth;
}
