import { textOf } from "./amounts.ts";
import { instant, type Record_, type Side } from "./order.ts";
import type { Product } from "./world.ts";

const minute = 60_000;

export interface Trade {
  readonly product: Product;
  /** Who came second and so made the trade. */
  readonly side: Side;
  readonly price: bigint;
  readonly quantity: bigint;
  readonly time: number;
}

/** What has been traded, in the order of trading, and what everybody may see of it. */
export class Tape {
  readonly trades: Trade[] = [];

  of(product: Product): readonly Trade[] {
    return this.trades.filter((trade) => trade.product === product);
  }

  view({ side, price, quantity, time }: Trade): Record_ {
    return { side, price: textOf(price), size: textOf(quantity), time: instant(time) };
  }

  /** One for each minute that has a trade, the oldest first. */
  candles(product: Product): Record_[] {
    const minutes = new Map<number, Trade[]>();
    for (const trade of this.of(product)) {
      const start = trade.time - (trade.time % minute);
      minutes.set(start, [...(minutes.get(start) ?? []), trade]);
    }
    return [...minutes].map(([start, trades]) => this.candle(start, trades));
  }

  candle(start: number, trades: readonly Trade[]): Record_ {
    const prices = trades.map(({ price }) => price).toSorted((a, b) => Number(a > b) - Number(a < b));
    const [first, last] = [trades[0], trades.at(-1)];
    return {
      start: instant(start),
      open: textOf(first?.price ?? 0n),
      high: textOf(prices.at(-1) ?? 0n),
      low: textOf(prices[0] ?? 0n),
      close: textOf(last?.price ?? 0n),
      volume: textOf(trades.reduce((sum, { quantity }) => sum + quantity, 0n)),
      openedAt: instant(first?.time ?? start),
      closedAt: instant(last?.time ?? start),
    };
  }
}
