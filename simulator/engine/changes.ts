/**
 * The changes of an entry: the records as each of its events left them. A committed entry carries them, so that rows and
 * messages can be made from it without the state between two events.
 */
import type { LedgerLine, Wallet } from "../domain/account.ts";
import type { Event } from "../domain/event.ts";
import type { Order, OrderNumber, Side } from "../domain/order.ts";
import { noSlot, syntheticOrder } from "./book/order-book.ts";
import type { Deposit, Market, VenueState } from "./state.ts";

export interface Changes {
  readonly lines: LedgerLine[];
  /** `before` is null if the wallet is new. One wallet may occur several times. */
  readonly wallets: WalletChange[];
  /** One for each revision of an order, and one for the end of an order that was filled. */
  readonly orders: OrderChange[];
  readonly deposits: Deposit[];
  /** One for each number of a book. */
  readonly books: BookChange[];
}

export interface WalletChange {
  readonly client: number;
  readonly asset: number;
  readonly before: Wallet | null;
  readonly after: Wallet;
}

export interface OrderChange {
  readonly event: RevisingEvent;
  readonly order: Readonly<Order>;
}

export interface BookChange {
  readonly product: number;
  readonly bookSequence: number;
  readonly levels: readonly LevelChange[];
}

export interface LevelChange {
  readonly side: Side;
  readonly price: number;
  /** All that rests there now; zero: the level is gone. */
  readonly quantity: number;
}

/** The events that show in the record of an order. */
export type RevisingEvent = Event<
  | "OrderAccepted"
  | "OrderConfirmed"
  | "Traded"
  | "StopTriggered"
  | "OrderReduced"
  | "OrderClosed"
  | "CancelRequested"
  | "OrdersSynced"
>;

export const noChanges = (): Changes => ({ lines: [], wallets: [], orders: [], deposits: [], books: [] });

/** Notes the orders and deposits that an event has changed, once it is applied. */
export function noteRecords(state: VenueState, event: Event): void {
  switch (event.kind) {
    case "OrderAccepted":
      return noteOrder(state, event, event.terms.number);
    case "Traded":
      if (event.taker !== syntheticOrder) noteOrder(state, event, event.taker);
      if (event.maker !== syntheticOrder) noteOrder(state, event, event.maker);
      return;
    case "OrdersSynced":
      for (const order of event.orders) noteOrder(state, event, order);
      return;
    case "OrderConfirmed":
    case "StopTriggered":
    case "OrderReduced":
    case "OrderClosed":
    case "CancelRequested":
      return noteOrder(state, event, event.order);
    case "DepositCreated":
    case "DepositAdvanced":
    case "DepositCompleted": {
      const deposit = state.deposits[event.number - 1];
      if (deposit !== undefined) state.changes.deposits.push({ ...deposit });
      return;
    }
    default:
      return;
  }
}

/** The copy has no place in the book: that is an index of the state alone. */
function noteOrder(state: VenueState, event: RevisingEvent, number: OrderNumber): void {
  state.changes.orders.push({ event, order: { ...state.order(number), slot: noSlot } });
}

/** Marks a change of the visible book: REST and stream share its number (F-order-book-record). */
export function touchBook(
  { changes }: VenueState,
  market: Market,
  levels: readonly LevelChange[],
  at: number,
): void {
  market.bookSequence++;
  market.bookChangedAt = at;
  changes.books.push({ product: market.product.index, bookSequence: market.bookSequence, levels });
}

export const levelAt = ({ book }: Market, side: Side, price: number): LevelChange => ({
  side,
  price,
  quantity: book.quantityAt(side, price),
});
