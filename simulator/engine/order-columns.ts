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
import {
  type DueAction,
  type FeeRates,
  isTerminal,
  type Order,
  type OrderPhase,
  type OrderStatus,
  type OrderType,
  type Side,
} from "../domain/order.ts";
import { capitalsOf, ID_WORDS, idText, readIdWords } from "./id-words.ts";
import type { ByteReader, ByteWriter, NumberColumn } from "./snapshot-bytes.ts";

const SIDES: readonly Side[] = ["BUY", "SELL"];
const TYPES: readonly OrderType[] = ["LIMIT", "MARKET", "STOP_LIMIT"];
const STATUSES: readonly OrderStatus[] = ["PENDING", "OPEN", "FILLED", "CANCELLED", "EXPIRED", "FAILED"];
const PHASES: readonly OrderPhase[] = ["unconfirmed", "queued", "waiting-for-stop", "resting", "done"];
const ACTIONS: readonly DueAction[] = ["MatchOrder", "ConfirmOrder", "FailOrder", "FinishCancel"];
const NONE = -1;
const NO_ACTION = ACTIONS.length;
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
  out.column(idWordsOf(orders));
  out.numbers(orders, ({ terms }) => capitalsOf(terms.clientOrderId));
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
    idWords: wordsOf(from.numbers(rows * ID_WORDS)),
    capitals: from.numbers(rows),
    side: from.codes(rows, SIDES.length),
    type: from.codes(rows, TYPES.length),
    quantity: from.numbers(rows),
    price: from.numbers(rows),
    stopPrice: from.numbers(rows),
    budget: from.amounts(rows),
    rates: from.numbers(rows),
    createdAt: from.numbers(rows),
    status: from.codes(rows, STATUSES.length),
    phase: from.codes(rows, PHASES.length),
    flags: from.codes(rows, 2 * HAS_SYNC),
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
    action: from.codes(rows, NO_ACTION + 1),
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
      clientOrderId: idText(c.idWords, row * ID_WORDS, c.capitals[row]!),
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

// Codes of names, for whoever reads columns.
export const sideCode = (side: Side): number => codeOf(SIDES, side);
export const statusCode = (status: OrderStatus): number => codeOf(STATUSES, status);
export const phaseCode = (phase: OrderPhase): number => codeOf(PHASES, phase);
/** By the code of a status: 1 when an order in it is open. A code that is none is not. */
export const OPEN_STATUS = Uint8Array.from(STATUSES, (status) => (isTerminal(status) ? 0 : 1));
export const statusName = (code: number): OrderStatus => entryOf(STATUSES, code);

// Single fields, for whoever needs no record.
export const sideAt = (c: OrderColumns, row: number): Side => entryOf(SIDES, c.side[row]!);
const statusAt = (c: OrderColumns, row: number): OrderStatus => entryOf(STATUSES, c.status[row]!);
const phaseAt = (c: OrderColumns, row: number): OrderPhase => entryOf(PHASES, c.phase[row]!);
export const stopPriceAt = (c: OrderColumns, row: number): Ticks | null =>
  c.stopPrice[row] === NONE ? null : ticks(c.stopPrice[row]!);
export const hasSync = (c: OrderColumns, row: number): boolean => (c.flags[row]! & HAS_SYNC) !== 0;
export const hasDue = (c: OrderColumns, row: number): boolean => c.action[row] !== NO_ACTION;
const syncAtOf = (c: OrderColumns, row: number): number | null => (hasSync(c, row) ? c.syncAt[row]! : null);
function dueAt(c: OrderColumns, row: number): Order["due"] {
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

function idWordsOf(orders: readonly Order[]): Int32Array {
  const words = new Int32Array(orders.length * ID_WORDS);
  for (const [row, { terms }] of orders.entries()) readIdWords(terms.clientOrderId, words, row * ID_WORDS);
  return words;
}

function wordsOf(column: NumberColumn): Int32Array {
  if (column instanceof Int32Array) return column;
  throw new RangeError("the words of client order ids are no 32-bit numbers");
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
