/**
 * The engine against the reference venue: random commands, compared after each of them; `npm run soak:oracle` tries a
 * million.
 */
import { expect, test } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import type { Coverage } from "./testing/coverage.ts";
import { compareStream, streamLength } from "./testing/differential.ts";

const commands = triesAll ? 40_000 : 10_000;
const firstSeed = 20_260_101;

/** Of 100,000 commands. Less than this, and the streams have become trivial: about half of what they do today. */
const floors: Readonly<Record<string, number>> = {
  accepted: 15_000,
  replayed: 600,
  fill: 10_000,
  "FILLED with fills": 8_000,
  "CANCELLED with fills": 1_500,
  "CANCELLED without fills": 5_000,
  "EXPIRED with fills": 100,
  "MARKET BUY FILLED with fills": 1_500,
  "MARKET BUY CANCELLED with fills": 200,
  "MARKET BUY CANCELLED without fills": 700,
  "MARKET BUY at its largest size": 25,
  "MARKET SELL FILLED with fills": 1_200,
  "MARKET SELL CANCELLED with fills": 300,
  "fill against a synthetic level": 4_000,
  "fill by a new synthetic level": 1_000,
  "fill between orders of one client": 300,
  "closed by self-trade prevention": 1_500,
  "self-trade decrement": 500,
  "rebate to a maker": 400,
  "SELL whose fees are capped": 200,
  "stop triggered": 1_000,
  "cascade of three stops in one command": 15,
  INSUFFICIENT_FUNDS: 1_500,
  TRADING_HALTED: 1_000,
  PRODUCT_NOT_ENABLED: 1_500,
  PRODUCT_NOT_FOUND: 300,
  ORDER_SIZE_BELOW_MINIMUM: 400,
  ORDER_SIZE_ABOVE_MAXIMUM: 800,
  INVALID_SIZE_INCREMENT: 250,
  INVALID_PRICE_INCREMENT: 120,
  QUOTE_SIZE_OUT_OF_RANGE: 80,
  STOP_PRICE_WOULD_TRIGGER: 500,
  TOO_MANY_OPEN_ORDERS: 60,
  ORDER_NOT_CANCELLABLE: 700,
  ORDER_NOT_FOUND: 200,
  INVALID_COMMAND: 100,
};

test(`the engine and the reference venue agree after every one of ${commands} random commands`, () => {
  const coverage: Coverage = new Map();
  for (let done = 0, seed = firstSeed; done < commands; done += streamLength, seed++) {
    compareStream(seed, streamLength, coverage);
  }
  const short = Object.entries(floors)
    .map(([what, floor]) => ({ what, floor: (floor * commands) / 100_000, seen: coverage.get(what) ?? 0 }))
    .filter(({ floor, seen }) => seen < floor);
  expect(short).toEqual([]);
});
