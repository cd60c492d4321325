import { expect, test } from "vitest";
import { lots, ticks } from "../domain/amount.ts";
import { Tape } from "../engine/tape.ts";
import { DayVolume, newestCandle } from "./market-feed.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const START = 1_767_225_600_000;

function traded(tape: Tape, trade: number, at: number, quantity: number): void {
  tape.print({ trade, at, price: ticks(100 + trade), quantity: lots(quantity), takerSide: "BUY" });
}

test("the volume of a day is that of its whole minutes, and the same as summed anew", () => {
  const tape = new Tape(ticks(100));
  const kept = new DayVolume();
  let trade = 0;
  for (let step = 0; step < 3000; step++) {
    const now = START + step * 70_000;
    if (step % 3 !== 0) traded(tape, ++trade, now, 1 + (step % 7));
    const since = tape.minutes.filter(({ start }) => start >= now - DAY);
    const sum = since.reduce((total, { volume }) => total + volume, 0n);
    expect(kept.at(tape, now)).toBe(sum);
  }
  expect(kept.at(tape, START + 3000 * 70_000 + 2 * DAY)).toBe(0n);
});

test("the newest candle joins the minutes of its interval alone", () => {
  const tape = new Tape(ticks(100));
  expect(newestCandle(tape, "FIVE_MINUTES")).toBeNull();
  for (const [trade, minute] of [4, 5, 6, 9].entries()) traded(tape, trade + 1, START + minute * MINUTE, 1);
  expect(newestCandle(tape, "FIVE_MINUTES")).toEqual({
    start: START + 5 * MINUTE,
    open: 102,
    high: 104,
    low: 102,
    close: 104,
    volume: 3n,
  });
});
