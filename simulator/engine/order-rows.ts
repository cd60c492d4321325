/** Orders as rows of JSON, for a snapshot. A change of a row needs a new `snapshotVersion`. */
import { noUnits, type Units, units } from "../domain/amount.ts";
import type { FeeRates, Order, OrderTerms } from "../domain/order.ts";

export type OrderRow = readonly [ReturnType<typeof termsRow>, ReturnType<typeof progressRow>];

/** The place in the book is not written. */
export const rowOf = (order: Order): OrderRow => [termsRow(order.terms), progressRow(order)];

const termsRow = (terms: OrderTerms) =>
  [
    terms.number,
    terms.client,
    terms.product,
    terms.clientOrderId,
    terms.side,
    terms.type,
    terms.quantity,
    terms.price,
    terms.stopPrice,
    terms.budget === null ? null : plain(terms.budget),
    ratesText(terms.rates),
    terms.createdAt,
  ] as const;

const progressRow = (order: Order) =>
  [
    order.status,
    order.phase,
    order.synced,
    order.updatedAt,
    order.revision,
    order.accepted,
    order.removed,
    order.filled,
    plain(order.filledValue),
    plain(order.commissionExact),
    plain(order.exchangeFeeExact),
    plain(order.commission),
    plain(order.exchangeFee),
    plain(order.hold),
    order.due,
    order.syncAt,
    order.willSync,
    order.willCancel,
    order.reason,
  ] as const;

/**
 * Reads rows. Orders that were accepted under the same rates share them again. Members are written out: an object that is
 * filled name by name takes twice the memory, and a restart twice the time (`npm run bench:storage -- --only restart`).
 */
export class OrderReader {
  readonly #rates = new Map<string, FeeRates>();

  order([terms, progress]: OrderRow): Order {
    const [
      status,
      phase,
      synced,
      updatedAt,
      revision,
      accepted,
      removed,
      filled,
      filledValue,
      commissionExact,
      exchangeFeeExact,
      commission,
      exchangeFee,
      hold,
      due,
      syncAt,
      willSync,
      willCancel,
      reason,
    ] = progress;
    return {
      terms: this.#terms(terms),
      status,
      phase,
      synced,
      updatedAt,
      revision,
      accepted,
      removed,
      filled,
      filledValue: amountOf(filledValue),
      commissionExact: amountOf(commissionExact),
      exchangeFeeExact: amountOf(exchangeFeeExact),
      commission: amountOf(commission),
      exchangeFee: amountOf(exchangeFee),
      hold: amountOf(hold),
      due,
      syncAt,
      willSync,
      willCancel,
      slot: -1,
      reason,
    };
  }

  #terms(row: OrderRow[0]): OrderTerms {
    const [
      number,
      client,
      product,
      clientOrderId,
      side,
      type,
      quantity,
      price,
      stopPrice,
      budget,
      rates,
      createdAt,
    ] = row;
    return {
      number,
      client,
      product,
      clientOrderId,
      side,
      type,
      quantity,
      price,
      stopPrice,
      budget: budget === null ? null : amountOf(budget),
      rates: this.#ratesOf(rates),
      createdAt,
    };
  }

  #ratesOf(text: string): FeeRates {
    const known = this.#rates.get(text);
    if (known !== undefined) return known;
    const [makerCommission = 0n, takerCommission = 0n, makerExchange = 0n, takerExchange = 0n] = text
      .split(" ")
      .map(BigInt);
    const rates = { makerCommission, takerCommission, makerExchange, takerExchange };
    this.#rates.set(text, rates);
    return rates;
  }
}

/** A number of JSON is exact up to 2^53; beyond, the digits. */
const plain = (amount: bigint): number | string => {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : amount.toString();
};

const amountOf = (written: number | string): Units => (written === 0 ? noUnits : units(BigInt(written)));

const ratesText = ({ makerCommission, takerCommission, makerExchange, takerExchange }: FeeRates): string =>
  `${makerCommission} ${takerCommission} ${makerExchange} ${takerExchange}`;
