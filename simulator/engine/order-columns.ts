// tidy-allow-file no-non-null: a column has as many rows as the reader was asked for
/**
 * Orders of a snapshot as columns of bytes: one column per field, so that 10^5 orders are a few dozen sections and
 * nothing is parsed when they come back.
 *
 * Lists of names are written as places in the constants below: whoever reorders one raises `SNAPSHOT_VERSION`.
 * Prices, quantities and places are never negative, so -1 stands for null.
 */
import { lots, type Ticks, ticks } from "../domain/amount.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import type {
  DueAction,
  FeeRates,
  Order,
  OrderPhase,
  OrderStatus,
  OrderType,
  Side,
} from "../domain/order.ts";
import type { ByteReader, ByteWriter } from "./snapshot-bytes.ts";

const SIDES: readonly Side[] = ["BUY", "SELL"];
const TYPES: readonly OrderType[] = ["LIMIT", "MARKET", "STOP_LIMIT"];
const STATUSES: readonly OrderStatus[] = ["PENDING", "OPEN", "FILLED", "CANCELLED", "EXPIRED", "FAILED"];
const PHASES: readonly OrderPhase[] = ["unconfirmed", "queued", "waiting-for-stop", "resting", "done"];
const ACTIONS: readonly DueAction[] = ["MatchOrder", "ConfirmOrder", "FailOrder", "FinishCancel"];
const NONE = -1;
const NO_ACTION = ACTIONS.length;
/** A UUID as text. */
export const ID_LENGTH = 36;
const [SYNCED, ACCEPTED, WILL_SYNC, HAS_BUDGET, HAS_SYNC] = [1, 2, 4, 8, 16];

export function writeOrders(out: ByteWriter, orders: readonly Order[]): void {
  const rates = new Distinct<FeeRates>(
    (one) => `${one.makerCommission} ${one.takerCommission} ${one.makerExchange} ${one.takerExchange}`,
  );
  const reasons = new Distinct<string>((reason) => reason);
  out.count(orders.length);
  out.numbers(orders, ({ terms }) => terms.number);
  out.numbers(orders, ({ terms }) => terms.client);
  out.numbers(orders, ({ terms }) => terms.product);
  out.text(orders.map(({ terms }) => checkedId(terms.clientOrderId)).join(""));
  out.codes(orders, ({ terms }) => codeOf(SIDES, terms.side));
  out.codes(orders, ({ terms }) => codeOf(TYPES, terms.type));
  out.numbers(orders, ({ terms }) => terms.quantity ?? NONE);
  out.numbers(orders, ({ terms }) => terms.price ?? NONE);
  out.numbers(orders, ({ terms }) => terms.stopPrice ?? NONE);
  out.amounts(orders, ({ terms }) => terms.budget ?? 0n);
  out.numbers(orders, ({ terms }) => rates.placeOf(terms.rates));
  out.numbers(orders, ({ terms }) => terms.createdAt);
  out.codes(orders, ({ status }) => codeOf(STATUSES, status));
  out.codes(orders, ({ phase }) => codeOf(PHASES, phase));
  out.codes(orders, flagsOf);
  out.numbers(orders, ({ updatedAt }) => updatedAt);
  out.numbers(orders, ({ revision }) => revision);
  out.numbers(orders, ({ removed }) => removed);
  out.numbers(orders, ({ filled }) => filled);
  out.amounts(orders, ({ filledValue }) => filledValue);
  out.amounts(orders, ({ commissionExact }) => commissionExact);
  out.amounts(orders, ({ exchangeFeeExact }) => exchangeFeeExact);
  out.amounts(orders, ({ commission }) => commission);
  out.amounts(orders, ({ exchangeFee }) => exchangeFee);
  out.amounts(orders, ({ hold }) => hold);
  out.codes(orders, ({ due }) => (due === null ? NO_ACTION : codeOf(ACTIONS, due.action)));
  out.numbers(orders, ({ due }) => due?.at ?? 0);
  out.numbers(orders, ({ syncAt }) => syncAt ?? 0);
  out.numbers(orders, ({ reason }) => (reason === null ? NONE : reasons.placeOf(reason)));
  writeRates(out, rates.list);
  out.text(JSON.stringify(reasons.list));
}

/** What `writeOrders` wrote. */
export interface OrderColumns extends ReturnType<typeof columnsOf> {
  readonly count: number;
  readonly rateList: readonly FeeRates[];
  readonly reasonList: readonly string[];
}

export function readColumns(from: ByteReader): OrderColumns {
  const count = from.count();
  const columns = columnsOf(from, count);
  const rateList = readRates(from);
  // as: written above as a list of strings.
  const reasonList = JSON.parse(from.text()) as string[];
  return { ...columns, count, rateList, reasonList };
}

function writeRates(out: ByteWriter, rates: readonly FeeRates[]): void {
  out.count(rates.length);
  out.amounts(rates, (one) => one.makerCommission);
  out.amounts(rates, (one) => one.takerCommission);
  out.amounts(rates, (one) => one.makerExchange);
  out.amounts(rates, (one) => one.takerExchange);
}

function readRates(from: ByteReader): FeeRates[] {
  const count = from.count();
  const makerCommission = from.amounts(count);
  const takerCommission = from.amounts(count);
  const makerExchange = from.amounts(count);
  const takerExchange = from.amounts(count);
  return Array.from({ length: count }, (_, row) => ({
    makerCommission: makerCommission.at(row),
    takerCommission: takerCommission.at(row),
    makerExchange: makerExchange.at(row),
    takerExchange: takerExchange.at(row),
  }));
}

/** In the order in which they were written. */
function columnsOf(from: ByteReader, rows: number) {
  return {
    number: from.numbers(rows),
    client: from.numbers(rows),
    product: from.numbers(rows),
    clientOrderIds: from.text(),
    side: from.codes(rows),
    type: from.codes(rows),
    quantity: from.numbers(rows),
    price: from.numbers(rows),
    stopPrice: from.numbers(rows),
    budget: from.amounts(rows),
    rates: from.numbers(rows),
    createdAt: from.numbers(rows),
    status: from.codes(rows),
    phase: from.codes(rows),
    flags: from.codes(rows),
    updatedAt: from.numbers(rows),
    revision: from.numbers(rows),
    removed: from.numbers(rows),
    filled: from.numbers(rows),
    filledValue: from.amounts(rows),
    commissionExact: from.amounts(rows),
    exchangeFeeExact: from.amounts(rows),
    commission: from.amounts(rows),
    exchangeFee: from.amounts(rows),
    hold: from.amounts(rows),
    action: from.codes(rows),
    dueAt: from.numbers(rows),
    syncAt: from.numbers(rows),
    reason: from.numbers(rows),
  };
}

/** The order of a row as a record, with its place in the book. */
export function orderAt(c: OrderColumns, row: number, slot: number): Order {
  const flags = c.flags[row]!;
  const quantity = c.quantity[row]!;
  const price = c.price[row]!;
  const reason = c.reason[row]!;
  return {
    terms: {
      number: c.number[row]!,
      client: c.client[row]!,
      product: c.product[row]!,
      clientOrderId: c.clientOrderIds.slice(row * ID_LENGTH, (row + 1) * ID_LENGTH),
      side: sideAt(c, row),
      type: entryOf(TYPES, c.type[row]!),
      quantity: quantity === NONE ? null : lots(quantity),
      price: price === NONE ? null : ticks(price),
      stopPrice: stopPriceAt(c, row),
      budget: (flags & HAS_BUDGET) === 0 ? null : c.budget.at(row),
      rates: entryOf(c.rateList, c.rates[row]!),
      createdAt: c.createdAt[row]!,
    },
    status: statusAt(c, row),
    phase: phaseAt(c, row),
    synced: (flags & SYNCED) !== 0,
    updatedAt: c.updatedAt[row]!,
    revision: c.revision[row]!,
    accepted: (flags & ACCEPTED) !== 0,
    removed: lots(c.removed[row]!),
    filled: lots(c.filled[row]!),
    filledValue: c.filledValue.at(row),
    commissionExact: c.commissionExact.at(row),
    exchangeFeeExact: c.exchangeFeeExact.at(row),
    commission: c.commission.at(row),
    exchangeFee: c.exchangeFee.at(row),
    hold: c.hold.at(row),
    due: dueAt(c, row),
    syncAt: syncAtOf(c, row),
    willSync: (flags & WILL_SYNC) !== 0,
    slot,
    reason: reason === NONE ? null : entryOf(c.reasonList, reason),
  };
}

/** Where an order stands: what the audit asks of each open one, which is a third of a record. */
export interface Standing extends Pick<Order, "status" | "phase" | "slot" | "hold" | "filled" | "removed"> {
  readonly terms: Pick<Order["terms"], "number" | "product" | "side" | "quantity">;
}

export function standingAt(c: OrderColumns, row: number, slot: number): Standing {
  const quantity = c.quantity[row]!;
  return {
    terms: {
      number: c.number[row]!,
      product: c.product[row]!,
      side: sideAt(c, row),
      quantity: quantity === NONE ? null : lots(quantity),
    },
    status: statusAt(c, row),
    phase: phaseAt(c, row),
    slot,
    hold: c.hold.at(row),
    filled: lots(c.filled[row]!),
    removed: lots(c.removed[row]!),
  };
}

// Single fields, for whoever needs no record.
export const sideAt = (c: OrderColumns, row: number): Side => entryOf(SIDES, c.side[row]!);
export const statusAt = (c: OrderColumns, row: number): OrderStatus => entryOf(STATUSES, c.status[row]!);
export const phaseAt = (c: OrderColumns, row: number): OrderPhase => entryOf(PHASES, c.phase[row]!);
export const stopPriceAt = (c: OrderColumns, row: number): Ticks | null =>
  c.stopPrice[row] === NONE ? null : ticks(c.stopPrice[row]!);
export const syncAtOf = (c: OrderColumns, row: number): number | null =>
  (c.flags[row]! & HAS_SYNC) === 0 ? null : c.syncAt[row]!;
export function dueAt(c: OrderColumns, row: number): Order["due"] {
  const action = c.action[row]!;
  return action === NO_ACTION ? null : { at: c.dueAt[row]!, action: entryOf(ACTIONS, action) };
}

function flagsOf({ synced, accepted, willSync, syncAt, terms }: Order): number {
  return (
    (synced ? SYNCED : 0) |
    (accepted ? ACCEPTED : 0) |
    (willSync ? WILL_SYNC : 0) |
    (terms.budget === null ? 0 : HAS_BUDGET) |
    (syncAt === null ? 0 : HAS_SYNC)
  );
}

function checkedId(id: string): string {
  if (id.length !== ID_LENGTH) throw new InvariantViolation(`"${id}" is no client_order_id`);
  return id;
}

function codeOf<T>(names: readonly T[], name: T): number {
  const code = names.indexOf(name);
  if (code < 0) throw new InvariantViolation(`a snapshot has no code for "${String(name)}"`);
  return code;
}

function entryOf<T>(list: readonly T[], place: number): T {
  const entry = list[place];
  if (entry === undefined) throw new RangeError(`a column refers to entry ${place} of a shorter list`);
  return entry;
}

/** Values in order of first appearance, each once. */
class Distinct<T> {
  readonly list: T[] = [];
  private readonly places = new Map<string, number>();
  private readonly keyOf: (value: T) => string;

  constructor(keyOf: (value: T) => string) {
    this.keyOf = keyOf;
  }

  placeOf(value: T): number {
    const key = this.keyOf(value);
    const known = this.places.get(key);
    if (known !== undefined) return known;
    const place = this.list.push(value) - 1;
    this.places.set(key, place);
    return place;
  }
}
