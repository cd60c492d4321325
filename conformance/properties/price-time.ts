import { type ExactDecimal, parseDecimal } from "../check/decimal.ts";

/**
 * A minimal model of an exchange: the better price first, at one price the older order, at the price of the resting
 * order. Better prices first is required (PLC-37), the rest is common practice (PLC-38, AS-31). Prices are places in
 * the spread and quantities are units; the plan converts them into amounts.
 */
export interface ModelOrder {
  readonly id: string;
  readonly side: "BUY" | "SELL";
  /** A MARKET order has none: its remainder is dropped. */
  readonly price?: string;
  readonly quantity: string;
}

export interface ModelFill {
  readonly maker: string;
  readonly taker: string;
  readonly price: string;
  readonly quantity: string;
}

interface Resting {
  readonly id: string;
  readonly side: "BUY" | "SELL";
  readonly price: ExactDecimal;
  left: ExactDecimal;
}

export class PriceTime {
  /** In order of arrival. */
  readonly #resting: Resting[] = [];
  readonly fills: ModelFill[] = [];

  place({ id, side, price, quantity }: ModelOrder): void {
    const limit = price === undefined ? undefined : exact(price);
    let left = exact(quantity);
    for (
      let maker = this.#first(side, limit);
      maker !== undefined && left.gt(0);
      maker = this.#first(side, limit)
    ) {
      const traded = left.lt(maker.left) ? left : maker.left;
      left = left.minus(traded);
      maker.left = maker.left.minus(traded);
      this.fills.push({ maker: maker.id, taker: id, price: String(maker.price), quantity: String(traded) });
    }
    if (limit !== undefined) this.#resting.push({ id, side, price: limit, left });
  }

  /** The fills of an order so far. */
  filled(id: string): string {
    return String(this.fillsOf(id).reduce((sum, { quantity }) => sum.plus(exact(quantity)), exact("0")));
  }

  fillsOf(id: string): readonly ModelFill[] {
    return this.fills.filter(({ maker, taker }) => maker === id || taker === id);
  }

  #first(side: "BUY" | "SELL", limit: ExactDecimal | undefined): Resting | undefined {
    const better = (one: ExactDecimal, other: ExactDecimal): boolean =>
      side === "BUY" ? one.lt(other) : one.gt(other);
    return this.#resting
      .filter((one) => one.side !== side && one.left.gt(0))
      .filter(({ price }) => limit === undefined || !better(limit, price))
      .reduce<Resting | undefined>(
        (best, one) => (best === undefined || better(one.price, best.price) ? one : best),
        undefined,
      );
  }
}

function exact(text: string): ExactDecimal {
  const value = parseDecimal(text);
  if (value === undefined) throw new Error(`${text} is no decimal`);
  return value;
}
