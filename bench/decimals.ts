/** Parse two decimals, multiply, format: the venue's edge against decimal.js, equal on every case. */
import { Decimal } from "decimal.js";
import { lots, ticks, ticksTimesLots } from "../simulator/domain/amount.ts";
import { formatScaled, scaleDecimal, scaleToNumber, spellDecimal } from "../simulator/domain/decimal-text.ts";
import { Random } from "../simulator/engine/testing/random.ts";
import { compare } from "./lib/paired.ts";
import { goal, heading, table } from "./lib/print.ts";
import { refuseBusyMachine } from "./lib/quiet.ts";

refuseBusyMachine();

const Exact = Decimal.clone({ precision: 100, toExpNeg: -9e15, toExpPos: 9e15 });
const priceScale = 2;
const lotScale = 8;

function pairs(count: number, seed: number): [string, string][] {
  const random = new Random(seed);
  const text = (whole: number, scale: number): string => {
    const fraction = Math.floor(random.next() * 10 ** scale)
      .toString()
      .padStart(scale, "0");
    return `${Math.floor(random.next() * whole)}.${fraction}`;
  };
  return Array.from({ length: count }, () => [text(100_000, priceScale), text(1_000, lotScale)]);
}

function ours(price: string, quantity: string): string {
  const p = spellDecimal(price);
  const q = spellDecimal(quantity);
  if (p === null || q === null) throw new RangeError("not a decimal");
  const inTicks = scaleToNumber(p, priceScale);
  const inLots = scaleToNumber(q, lotScale);
  const product =
    inTicks === null || inLots === null
      ? scaleDecimal(p, priceScale) * scaleDecimal(q, lotScale)
      : ticksTimesLots(ticks(inTicks), lots(inLots));
  return formatScaled(product, priceScale + lotScale);
}

const theirs = (price: string, quantity: string): string =>
  new Exact(price).times(new Exact(quantity)).toFixed();

const caseCount = 1_000_000;
let different = 0;
for (const [price, quantity] of pairs(caseCount, 1))
  if (ours(price, quantity) !== theirs(price, quantity)) different++;

const sample = pairs(4096, 2);
const slice = (run: (price: string, quantity: string) => string) => (): number => {
  let length = 0;
  const start = process.hrtime.bigint();
  for (let round = 0; round < 20; round++)
    for (const [price, quantity] of sample) length += run(price, quantity).length;
  const seconds = Number(process.hrtime.bigint() - start) / 1e9;
  if (length === 0) throw new Error("nothing was computed");
  return (20 * sample.length) / seconds;
};

heading("Decimals: parse two, multiply, format");
const rows = await compare(
  "decimal.js",
  [
    { name: "decimal.js", slice: slice(theirs) },
    { name: "gatewright", slice: slice(ours) },
  ],
  15,
);
table(rows, "decimal.js", "operations/s");
const ratio = rows.find((row) => row.name === "gatewright")?.ratio.median ?? 0;
goal(`equal to decimal.js on ${caseCount} random cases`, different === 0, `${different} different`);
goal("at least 4x decimal.js", ratio >= 4, `${ratio.toFixed(1)}x`);
