/**
 * Orders of a snapshot as columns: one list per field, so that 10^5 orders are a few dozen long lists and no small objects.
 * Amounts are decimal strings here and nowhere else in a snapshot; nothing in these columns needs a second look while it
 * is parsed, which is what makes a restart fast.
 */
import { type Lots, type Ticks, type Units, units } from "../domain/amount.ts";
import type { FeeRates, Order, OrderPhase, OrderStatus, OrderType, Side } from "../domain/order.ts";

export interface OrderColumns {
  readonly number: readonly number[];
  readonly client: readonly number[];
  readonly product: readonly number[];
  readonly clientOrderId: readonly string[];
  readonly side: readonly Side[];
  readonly type: readonly OrderType[];
  readonly quantity: readonly (Lots | null)[];
  readonly price: readonly (Ticks | null)[];
  readonly stopPrice: readonly (Ticks | null)[];
  readonly budget: readonly (string | null)[];
  /** Indexes into the list of distinct rates. */
  readonly rates: readonly number[];
  readonly createdAt: readonly number[];
  readonly status: readonly OrderStatus[];
  readonly phase: readonly OrderPhase[];
  readonly synced: readonly boolean[];
  readonly updatedAt: readonly number[];
  readonly revision: readonly number[];
  readonly accepted: readonly boolean[];
  readonly removed: readonly Lots[];
  readonly filled: readonly Lots[];
  readonly filledValue: readonly string[];
  readonly commissionExact: readonly string[];
  readonly exchangeFeeExact: readonly string[];
  readonly commission: readonly string[];
  readonly exchangeFee: readonly string[];
  readonly hold: readonly string[];
  readonly due: readonly Order["due"][];
  readonly syncAt: readonly (number | null)[];
  readonly willSync: readonly boolean[];
  readonly reason: readonly (string | null)[];
}

/** The columns, and the distinct rates that they refer to: clients share few. */
export function toColumns(orders: ReadonlyMap<number, Order>): {
  readonly columns: OrderColumns;
  readonly rates: readonly FeeRates[];
} {
  const all = [...orders.values()];
  const rates: FeeRates[] = [];
  const known = new Map<string, number>();
  const indexOf = (wanted: FeeRates): number => {
    const key = `${wanted.makerCommission} ${wanted.takerCommission} ${wanted.makerExchange} ${wanted.takerExchange}`;
    let at = known.get(key);
    if (at === undefined) {
      at = rates.push(wanted) - 1;
      known.set(key, at);
    }
    return at;
  };
  const columns: OrderColumns = {
    number: all.map(({ terms }) => terms.number),
    client: all.map(({ terms }) => terms.client),
    product: all.map(({ terms }) => terms.product),
    clientOrderId: all.map(({ terms }) => terms.clientOrderId),
    side: all.map(({ terms }) => terms.side),
    type: all.map(({ terms }) => terms.type),
    quantity: all.map(({ terms }) => terms.quantity),
    price: all.map(({ terms }) => terms.price),
    stopPrice: all.map(({ terms }) => terms.stopPrice),
    budget: all.map(({ terms }) => (terms.budget === null ? null : String(terms.budget))),
    rates: all.map(({ terms }) => indexOf(terms.rates)),
    createdAt: all.map(({ terms }) => terms.createdAt),
    status: all.map((order) => order.status),
    phase: all.map((order) => order.phase),
    synced: all.map((order) => order.synced),
    updatedAt: all.map((order) => order.updatedAt),
    revision: all.map((order) => order.revision),
    accepted: all.map((order) => order.accepted),
    removed: all.map((order) => order.removed),
    filled: all.map((order) => order.filled),
    filledValue: all.map((order) => String(order.filledValue)),
    commissionExact: all.map((order) => String(order.commissionExact)),
    exchangeFeeExact: all.map((order) => String(order.exchangeFeeExact)),
    commission: all.map((order) => String(order.commission)),
    exchangeFee: all.map((order) => String(order.exchangeFee)),
    hold: all.map((order) => String(order.hold)),
    due: all.map((order) => order.due),
    syncAt: all.map((order) => order.syncAt),
    willSync: all.map((order) => order.willSync),
    reason: all.map((order) => order.reason),
  };
  return { columns, rates };
}

/** The order of a row, outside the book: its place there is found again by whoever restores the book. */
export function orderAt(c: OrderColumns, rates: readonly FeeRates[], row: number): Order {
  const budget = at(c.budget, row);
  return {
    terms: {
      number: at(c.number, row),
      client: at(c.client, row),
      product: at(c.product, row),
      clientOrderId: at(c.clientOrderId, row),
      side: at(c.side, row),
      type: at(c.type, row),
      quantity: at(c.quantity, row),
      price: at(c.price, row),
      stopPrice: at(c.stopPrice, row),
      budget: budget === null ? null : money(budget),
      rates: at(rates, at(c.rates, row)),
      createdAt: at(c.createdAt, row),
    },
    status: at(c.status, row),
    phase: at(c.phase, row),
    synced: at(c.synced, row),
    updatedAt: at(c.updatedAt, row),
    revision: at(c.revision, row),
    accepted: at(c.accepted, row),
    removed: at(c.removed, row),
    filled: at(c.filled, row),
    filledValue: money(at(c.filledValue, row)),
    commissionExact: money(at(c.commissionExact, row)),
    exchangeFeeExact: money(at(c.exchangeFeeExact, row)),
    commission: money(at(c.commission, row)),
    exchangeFee: money(at(c.exchangeFee, row)),
    hold: money(at(c.hold, row)),
    due: at(c.due, row),
    syncAt: at(c.syncAt, row),
    willSync: at(c.willSync, row),
    slot: -1,
    reason: at(c.reason, row),
  };
}

const ZERO = units(0n);
const money = (text: string): Units => (text === "0" ? ZERO : units(BigInt(text)));

// as: every column is as long as the column of numbers; the snapshot's checksum has vouched for it.
const at = <T>(column: readonly T[], row: number): T => column[row] as T;
