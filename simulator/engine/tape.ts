/** Trades of one product as the market sees them: last price, recent prints, one-minute candles. */
import type { Lots, Ticks } from "../domain/amount.ts";
import type { Side } from "../domain/order.ts";

export interface Print {
  readonly trade: number;
  readonly at: number;
  readonly price: Ticks;
  readonly quantity: Lots;
  readonly takerSide: Side;
}

export interface Candle {
  /** Bucket start, aligned to the epoch in UTC. A trade exactly on a boundary belongs to the later bucket. */
  readonly start: number;
  open: Ticks;
  high: Ticks;
  low: Ticks;
  close: Ticks;
  volume: bigint;
}

const minuteMs = 60_000;
const recent = 50;

export class Tape {
  last: Ticks;
  /** False until the first trade: then `last` is the middle of the seeded book. */
  traded = false;
  readonly recent: Print[] = [];
  readonly minutes: Candle[] = [];

  constructor(reference: Ticks) {
    this.last = reference;
  }

  /** One that goes its own way from here. */
  copy(): Tape {
    const copy = new Tape(this.last);
    copy.traded = this.traded;
    copy.recent.push(...this.recent);
    for (const minute of this.minutes) copy.minutes.push({ ...minute });
    return copy;
  }

  print(print: Print): void {
    this.last = print.price;
    this.traded = true;
    this.recent.push(print);
    if (this.recent.length > recent) this.recent.shift();
    const { at, price } = print;
    const prices = { open: price, high: price, low: price, close: price };
    addTo(this.minutes, { start: at - (at % minuteMs), ...prices, volume: BigInt(print.quantity) });
  }

  /** Lots traded in [from, to). */
  volume(from: number, to: number): bigint {
    return this.minutes.reduce((sum, m) => (m.start >= from && m.start < to ? sum + m.volume : sum), 0n);
  }
}

/** One-minute candles joined into buckets of `granularity` ms that start in [from, to); empty buckets are absent. */
export function joinCandles(
  minutes: readonly Candle[],
  granularity: number,
  from: number,
  to: number,
): Candle[] {
  const joined: Candle[] = [];
  for (const minute of minutes) {
    const start = minute.start - (minute.start % granularity);
    if (start < from || start >= to) continue;
    addTo(joined, { ...minute, start });
  }
  return joined;
}

/** A candle of the same start as the last one becomes a part of it. */
function addTo(candles: Candle[], candle: Candle): void {
  const current = candles.at(-1);
  if (current?.start !== candle.start) {
    candles.push(candle);
    return;
  }
  if (candle.high > current.high) current.high = candle.high;
  if (candle.low < current.low) current.low = candle.low;
  current.close = candle.close;
  current.volume += candle.volume;
}
