/** Orders as rows of JSON, for a snapshot. A change of a column, or of their order, needs a new `snapshotVersion`. */
import { noUnits, type Units, units } from "../domain/amount.ts";
import type { FeeRates, Order, OrderTerms } from "../domain/order.ts";

export type OrderRow = readonly [terms: readonly unknown[], progress: readonly unknown[]];

/** How a member is written: as it is, as an amount of units, or as rates, which many orders share. */
type Form = "plain" | "units" | "rates";

const termColumns: Readonly<Record<keyof OrderTerms, Form>> = {
  number: "plain",
  client: "plain",
  product: "plain",
  clientOrderId: "plain",
  side: "plain",
  type: "plain",
  quantity: "plain",
  price: "plain",
  stopPrice: "plain",
  budget: "units",
  rates: "rates",
  createdAt: "plain",
};

/** The place in the book is not written. */
const progressColumns: Readonly<Record<Exclude<keyof Order, "terms" | "slot">, Form>> = {
  status: "plain",
  phase: "plain",
  synced: "plain",
  updatedAt: "plain",
  revision: "plain",
  accepted: "plain",
  removed: "plain",
  filled: "plain",
  filledValue: "units",
  commissionExact: "units",
  exchangeFeeExact: "units",
  commission: "units",
  exchangeFee: "units",
  hold: "units",
  due: "plain",
  syncAt: "plain",
  willSync: "plain",
  willCancel: "plain",
  reason: "plain",
};

const terms = Object.entries(termColumns);
const progress = Object.entries(progressColumns);

export const rowOf = (order: Order): OrderRow => [written(order.terms, terms), written(order, progress)];

function written(record: object, columns: readonly (readonly [string, Form])[]): readonly unknown[] {
  // as: the columns name members of the record.
  const members = record as Readonly<Record<string, unknown>>;
  return columns.map(([name, form]) => {
    const value = members[name];
    if (form === "plain" || value === null) return value;
    // as: the form of the column says what the member is.
    return form === "units" ? shortest(value as bigint) : ratesText(value as FeeRates);
  });
}

/** Reads rows. Orders that were accepted under the same rates share them again. */
export class OrderReader {
  readonly #rates = new Map<string, FeeRates>();

  order([ofTerms, ofProgress]: OrderRow): Order {
    // as: `rowOf` wrote these rows.
    const order = this.#read(ofProgress, progress) as unknown as Order;
    return Object.assign(order, { terms: this.#read(ofTerms, terms) as unknown as OrderTerms, slot: -1 });
  }

  #read(row: readonly unknown[], columns: readonly (readonly [string, Form])[]): Record<string, unknown> {
    const record: Record<string, unknown> = {};
    for (const [at, [name, form]] of columns.entries()) {
      const value = row[at];
      // as: the form of the column says what was written.
      if (form === "plain" || value === null) record[name] = value;
      else
        record[name] = form === "units" ? amountOf(value as number | string) : this.#ratesOf(value as string);
    }
    return record;
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
const shortest = (amount: bigint): number | string => {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : amount.toString();
};

const amountOf = (written: number | string): Units => (written === 0 ? noUnits : units(BigInt(written)));

const ratesText = ({ makerCommission, takerCommission, makerExchange, takerExchange }: FeeRates): string =>
  `${makerCommission} ${takerCommission} ${makerExchange} ${takerExchange}`;
