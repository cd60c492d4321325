/**
 * A recorded market as CSV, read strictly: the header `time,price,quantity`, then one print per line. Times
 * are UTC (2026-01-01T09:30:00.000Z) or milliseconds since 1970, never going back.
 */
import { spellDecimal } from "../../domain/decimal-text.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { maxFileBytes } from "../defaults.ts";
import { incrementOf, plainDecimal, wholeMultiples } from "../exact.ts";
import type { Place, WorldProblem } from "../problem.ts";
import type { ProductEntry } from "../schema.ts";

/** One row: milliseconds since the epoch, and two decimals. */
export interface RecordedTrade {
  readonly at: number;
  readonly price: string;
  readonly quantity: string;
}

type Grid = Pick<ProductEntry, "id" | "baseIncrement" | "priceIncrement">;

const header = "time,price,quantity";
const maxRows = 20_000;
/** A file with the wrong columns would otherwise fill the screen. */
const maxProblems = 20;
const utcTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/;
const wholeNumber = /^\d{1,20}(\.\d{1,20})?$/;
/** Milliseconds of March 1973 and of the year 5138. What lies outside has another unit. */
const leastMs = 1e11;
const mostMs = 1e14;

export function readTrades(
  text: string,
  file: string,
  product: Grid,
): Result<readonly RecordedTrade[], readonly WorldProblem[]> {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === "") lines.pop();
  const whole = (message: string) =>
    err([problemAt({ file, line: 1, column: 1, length: 1, source: lines[0] ?? "" }, message)]);
  if (Buffer.byteLength(text) > maxFileBytes) return whole(`the file has more than ${maxFileBytes} bytes`);
  if (lines[0] !== header) return whole(`the first line must be ${header}`);
  if (lines.length < 2) return whole("the file has no trades");
  if (lines.length - 1 > maxRows)
    return whole(`the file has ${lines.length - 1} trades; at most ${maxRows} are read`);
  const rows = new Rows(file, product);
  for (const [index, source] of lines.entries()) {
    if (index > 0 && rows.problems.length < maxProblems) rows.read(source, index + 1);
  }
  return rows.problems.length > 0 ? err(rows.problems) : ok(rows.trades);
}

const problemAt = (place: Place, message: string): WorldProblem => ({ message, advice: null, place });

class Rows {
  readonly trades: RecordedTrade[] = [];
  readonly problems: WorldProblem[] = [];
  readonly #file: string;
  readonly #product: Grid;
  #last = 0;

  constructor(file: string, product: Grid) {
    this.#file = file;
    this.#product = product;
  }

  read(source: string, line: number): void {
    const refuse = (column: number, length: number, message: string) =>
      void this.problems.push(
        problemAt({ file: this.#file, line, column, length: Math.max(1, length), source }, message),
      );
    const cells = source.split(",");
    const [time = "", price = "", quantity = ""] = cells;
    if (cells.length !== 3)
      return refuse(1, source.length, `must have three values, ${header}, has ${cells.length}`);
    const at = timeOf(time);
    const wrongTime =
      typeof at === "string"
        ? at
        : at < this.#last
          ? "the time is earlier than that of the line before"
          : null;
    const { id, priceIncrement, baseIncrement } = this.#product;
    const wrongPrice = offGrid("price", price, priceIncrement, id);
    const wrongQuantity = offGrid("quantity", quantity, baseIncrement, id);
    if (wrongTime !== null) refuse(1, time.length, wrongTime);
    if (wrongPrice !== null) refuse(time.length + 2, price.length, wrongPrice);
    if (wrongQuantity !== null) refuse(time.length + price.length + 3, quantity.length, wrongQuantity);
    if (typeof at === "string" || wrongTime !== null || wrongPrice !== null || wrongQuantity !== null) return;
    this.#last = at;
    this.trades.push({ at, price: plainDecimal(price), quantity: plainDecimal(quantity) });
  }
}

const timeForms = "time must be in UTC, such as 2026-01-01T09:30:00.000Z, or whole milliseconds since 1970";

/** Milliseconds since the epoch, or what is wrong. */
function timeOf(text: string): number | string {
  if (!wholeNumber.test(text)) {
    const time = utcTime.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(time) ? timeForms : time;
  }
  const number = Number(text);
  // Seconds of 1973 to 5138; a shorter number is a time of no clock.
  if (number >= leastMs / 1000 && number < leastMs)
    return `${timeForms}: ${text} looks like seconds. ${text.includes(".") ? "Multiply it by 1000" : "Add 000 to it"}`;
  if (number >= mostMs) return `${timeForms}: ${text} looks like microseconds or nanoseconds`;
  return number < leastMs || text.includes(".") ? timeForms : number;
}

function offGrid(name: string, text: string, increment: string, id: string): string | null {
  const decimal = spellDecimal(text);
  if (decimal === null) return `${name} must be a decimal such as 0.01, was ${JSON.stringify(text)}`;
  const multiples = wholeMultiples(decimal, incrementOf(increment));
  if (multiples === null) return `${name} must be a whole multiple of ${increment} (${id}), was ${text}`;
  if (multiples === 0n) return `${name} must be greater than zero`;
  return multiples > BigInt(Number.MAX_SAFE_INTEGER)
    ? `${name} ${text} is more than the venue counts to`
    : null;
}
