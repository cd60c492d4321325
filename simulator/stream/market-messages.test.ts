/** A copy that follows the entries is the copy of the state behind them. */
import { expect, test } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { Drive } from "../engine/testing/drive.ts";
import { recordUnrulyScript } from "../engine/testing/script.ts";
import { plain, Table } from "../engine/testing/table.ts";
import { granularityNames } from "../wire/granularity.ts";
import { copyOf, type MarketCopy, marketMessages, marketSnapshot } from "./market-messages.ts";
import { topicOf } from "./topics.ts";

const minuteMs = 60_000;

const everybody = (): boolean => true;

const snapshots = (copy: MarketCopy): string[] => [
  ...(["orderBook", "trades", "ticker"] as const).map((channel) => marketSnapshot(copy, channel, null, 0)),
  ...granularityNames.map((granularity) => marketSnapshot(copy, "candles", granularity, 0)),
];

test.each(sampled(4, [1, 2, 3, 4]))("through a random script, seed %i", (seed) => {
  const { spec, steps } = recordUnrulyScript(seed, 250);
  const drive = new Drive(spec);
  const { state } = drive;
  const copies = state.markets.map((market) => copyOf(market, state.now));
  let told = 0;
  for (const { wait, command } of steps) {
    drive.advance(wait);
    drive.submit(command);
    for (const entry of drive.take())
      for (const copy of copies) told += marketMessages(copy, entry, everybody).length;
    for (const [index, copy] of copies.entries())
      expect(snapshots(copy)).toEqual(snapshots(copyOf(state.market(index), state.now)));
  }
  expect(told).toBeGreaterThan(100);
});

/** Prints trades at irregular times, for more than a day; gives what is told of each entry on one topic. */
function* printing(topic: string): Generator<{ readonly drive: Drive; readonly texts: readonly string[] }> {
  const drive = new Drive(plain);
  const copy = copyOf(drive.state.market(0), drive.now);
  for (let step = 0; step < 2000; step++) {
    drive.advance(70_000);
    if (step % 3 === 0) drive.submit({ kind: "MoveClock" });
    else
      drive.submit({
        kind: "PrintTrade",
        product: "COIN-USD",
        price: String(100 + (step % 5)),
        quantity: String(1 + (step % 7)),
      });
    for (const entry of drive.take())
      yield { drive, texts: marketMessages(copy, entry, (one) => one === topic).map(({ text }) => text) };
  }
}

test("the volume of a day is that of its whole minutes", () => {
  let told = 0;
  for (const { drive, texts } of printing(topicOf("ticker", "COIN-USD", null))) {
    const { now, markets } = drive.state;
    const since = markets[0]?.tape.minutes.filter(({ start }) => start >= now - 1440 * minuteMs) ?? [];
    const sum = since.reduce((total, { volume }) => total + volume, 0n);
    for (const text of texts) expect(text).toContain(`"volume24h":"${sum}"`);
    told += texts.length;
  }
  expect(told).toBeGreaterThan(1000);
});

test("a candle changes with each trade, and is closed once when its interval has ended", () => {
  const open: string[] = [];
  const closed: string[] = [];
  for (const { texts } of printing(topicOf("candles", "COIN-USD", "FIVE_MINUTES")))
    for (const text of texts) {
      const start = /"candle":{"timestamp":"([^"]+)"/.exec(text)?.[1] ?? text;
      if (text.includes('"closed":true')) closed.push(start);
      else if (open.at(-1) !== start) open.push(start);
    }
  expect(closed.length).toBeGreaterThan(300);
  expect(closed).toEqual(open.slice(0, closed.length));
  expect(new Set(closed).size).toBe(closed.length);
});

test("a ticker that returns to its state before the snapshot is sent", () => {
  const table = new Table(plain);
  const { drive } = table;
  const copy = copyOf(drive.state.market(0), drive.now);
  const told = (isHeard: boolean): number =>
    drive.take().flatMap((entry) => marketMessages(copy, entry, () => isHeard)).length;
  marketSnapshot(copy, "ticker", null, 0);
  const order = table.place("ann", "BUY LIMIT 5 @ 90");
  expect(told(false)).toBe(0);
  expect(marketSnapshot(copy, "ticker", null, 0)).toContain('"bestBid":"90"');
  table.cancel("ann", order);
  // The book, and the ticker.
  expect(told(true)).toBe(2);
});
