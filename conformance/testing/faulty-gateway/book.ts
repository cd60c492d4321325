import type { Wrong } from "./defects.ts";

/** Money and sizes in units of 10^-8; enough for the orders of the tests. */
export const unit = 100_000_000n;

export function units(text: string, rounding: "down" | "up" = "down"): bigint {
  const [whole = "0", part = ""] = text.split(".");
  const more = rounding === "up" && /[1-9]/.test(part.slice(8)) ? 1n : 0n;
  return BigInt(whole) * unit + BigInt(part.slice(0, 8).padEnd(8, "0")) + more;
}

export function text(amount: bigint): string {
  const part = String(amount % unit)
    .padStart(8, "0")
    .replace(/0+$/, "");
  return part === "" ? String(amount / unit) : `${amount / unit}.${part}`;
}

export interface Resting {
  readonly side: string;
  readonly price: bigint;
  left: bigint;
  /** Called for each trade; orders of the house have none. */
  readonly filled?: (quantity: bigint, value: bigint) => void;
}

interface Stop {
  readonly trigger: bigint;
  readonly order: Resting;
}

/** One product: best price first, then first come. The house stands deep on both sides, so that there is a spread. */
export class Book {
  readonly resting = new Set<Resting>([
    { side: "BUY", price: units("59990.00"), left: 1000n * unit },
    { side: "SELL", price: units("60010.00"), left: 1000n * unit },
  ]);
  readonly #wrong: Wrong;
  readonly #stops = new Set<Stop>();
  #buys = 0;

  constructor(wrong: Wrong) {
    this.#wrong = wrong;
  }

  best(side: string): Resting | undefined {
    const standing = [...this.resting].filter((one) => one.side === side && one.left > 0n);
    const better = (a: Resting, b: Resting): boolean =>
      side === "SELL" ? a.price < b.price : a.price > b.price;
    return standing.reduce<Resting | undefined>(
      (best, one) =>
        best === undefined || better(one, best) || this.#isTakenInstead(one, best) ? one : best,
      undefined,
    );
  }

  /** Takes out the first that stands at the price of an order that has left. */
  dropBehind({ side, price }: Resting): void {
    const next = [...this.resting].find((one) => one.left > 0n && one.side === side && one.price === price);
    if (next !== undefined) this.resting.delete(next);
  }

  /** A stop waits for a trade at its trigger or beyond. */
  stop(trigger: bigint, order: Resting): void {
    this.#stops.add({ trigger, order });
  }

  #isTakenInstead(later: Resting, earlier: Resting): boolean {
    return this.#wrong("p49-later-order-first") && later.price === earlier.price;
  }

  #reach(price: bigint): void {
    for (const stop of this.#stops) {
      const { trigger, order } = stop;
      if (order.side === "BUY" ? price < trigger : price > trigger) continue;
      this.#stops.delete(stop);
      if (order.left > 0n) this.limit(order);
    }
  }

  /** A limit order takes the levels that cross; the rest of it rests. */
  limit(taker: Resting): void {
    const opposite = taker.side === "BUY" ? "SELL" : "BUY";
    for (
      let maker = this.best(opposite);
      maker !== undefined && taker.left > 0n;
      maker = this.best(opposite)
    ) {
      if (taker.side === "BUY" ? maker.price > taker.price : maker.price < taker.price) break;
      this.#trade(taker, maker, taker.left < maker.left ? taker.left : maker.left);
    }
    if (taker.left > 0n) this.resting.add(taker);
    if (this.#wrong("p46-quotes-reach-triggers")) this.#reach(taker.price);
  }

  /** A market buy walks the offers until its value is spent; the rest is too little to buy anything with. */
  marketBuy(value: bigint, taker: Resting): void {
    this.#buys += 1;
    let left = this.#wrong("p21-second-buy-gets-half") && this.#buys % 2 === 0 ? value / 2n : value;
    if (this.#wrong("p20-spends-twice-its-value")) left *= 2n;
    const first = this.best("SELL")?.price;
    for (let maker = this.best("SELL"); maker !== undefined; maker = this.best("SELL")) {
      const affordable = this.#affordable(left, maker.price);
      if (affordable === 0n) return;
      const quantity = affordable < maker.left ? affordable : maker.left;
      this.#trade(
        taker,
        maker,
        quantity,
        this.#wrong("p21-pays-the-first-price-throughout") ? first : undefined,
      );
      left -= (quantity * maker.price) / unit;
      if (this.#wrong("p21-stops-after-the-first-offer")) return;
    }
  }

  #affordable(value: bigint, price: bigint): bigint {
    if (value <= 0n) return 0n;
    const exact = (value * unit) / price;
    const lot = unit / 1000n;
    return this.#wrong("p20-rounds-the-size-up") ? ((exact + lot - 1n) / lot) * lot : exact;
  }

  #trade(taker: Resting, maker: Resting, quantity: bigint, price = maker.price): void {
    const value = (quantity * price) / unit;
    maker.left -= quantity;
    taker.left -= quantity;
    maker.filled?.(quantity, value);
    const atLimit = this.#wrong("p43-taker-pays-its-limit") && taker.price > 0n;
    taker.filled?.(quantity, atLimit ? (quantity * taker.price) / unit : value);
    this.#reach(price);
  }
}
