// tidy-allow-file no-non-null: every place is below the length of its bytes
/**
 * Values as bytes and back: one section after the other, each with its length in front, all numbers little-endian on
 * every machine. A column holds one field of many rows in the fewest bytes that its values need: a column of equal
 * numbers is one number.
 *
 * Invariant: equal values give equal bytes. What is read must have the lengths it says, and nothing may follow it.
 */
import { NO_UNITS, type Units, units } from "../domain/amount.ts";

/** Bytes a number of a column takes; 0 = all rows are alike. */
const [ALIKE, SHORT, LONG] = [0, 4, 8];
const WORD_BITS = 64;
/** Of a machine number that is exact, above its lower 32. */
const SAFE_HIGH_BITS = 21;
const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

export class ByteWriter {
  private bytes = new Uint8Array(65_536);
  private view = new DataView(this.bytes.buffer);
  private used = 0;

  /** A whole number below 2^32. */
  count(value: number): void {
    const place = this.take(4);
    this.view.setUint32(place, value, true);
  }

  text(value: string): void {
    const encoded = new TextEncoder().encode(value);
    this.count(encoded.length);
    const start = this.take(encoded.length);
    this.bytes.set(encoded, start);
  }

  /** Whole numbers below 256. */
  codes<T>(rows: readonly T[], codeOf: (row: T) => number): void {
    this.count(rows.length);
    const start = this.take(rows.length);
    for (const [at, row] of rows.entries()) this.bytes[start + at] = codeOf(row);
  }

  numbers<T>(rows: readonly T[], numberOf: (row: T) => number): void {
    const values = new Float64Array(rows.length);
    for (let at = 0; at < rows.length; at++) values[at] = numberOf(rows[at] as T);
    this.column(values);
  }

  column(values: NumberColumn): void {
    const width = widthOf(values);
    this.count(values.length);
    this.count(width);
    if (width === ALIKE) this.alike(values[0] ?? 0);
    else this.each(values, width);
  }

  private alike(value: number): void {
    const place = this.take(8);
    this.view.setFloat64(place, value, true);
  }

  private each(values: NumberColumn, width: number): void {
    this.take(gap(this.used, width));
    let place = this.take(values.length * width);
    for (const value of values) {
      if (width === SHORT) this.view.setInt32(place, value, true);
      else this.view.setFloat64(place, value, true);
      place += width;
    }
  }

  /** Whole numbers of any size, in as many 64-bit words each as the largest needs; none when all are zero. */
  amounts<T>(rows: readonly T[], amountOf: (row: T) => bigint): void {
    const values = rows.map(amountOf);
    const words = wordsFor(values);
    this.count(values.length);
    this.count(words);
    let place = this.take(values.length * words * 8);
    for (const value of values) {
      for (let word = 0; word < words; word++) {
        this.view.setBigInt64(place, value >> BigInt(word * WORD_BITS), true);
        place += 8;
      }
    }
  }

  finish(): Uint8Array {
    return this.bytes.subarray(0, this.used);
  }

  /** Room for so many bytes. `view` is another one when there was none left: take first, then write. */
  private take(length: number): number {
    const start = this.used;
    this.used += length;
    if (this.used > this.bytes.length) this.grow();
    return start;
  }

  private grow(): void {
    const wider = new Uint8Array(2 * this.used);
    wider.set(this.bytes);
    this.bytes = wider;
    this.view = new DataView(wider.buffer);
  }
}

/** Bytes up to the next place where a number of this width may stand, so that a column can be read where it lies. */
const gap = (used: number, width: number): number => -used & (width - 1);

function widthOf(values: NumberColumn): number {
  const first = values[0] ?? 0;
  if (values.every((value) => Object.is(value, first))) return ALIKE;
  return values.every((value) => Object.is(value, value | 0)) ? SHORT : LONG;
}

function wordsFor(values: readonly bigint[]): number {
  if (values.every((value) => value === 0n)) return 0;
  let words = 1;
  for (const value of values) while (BigInt.asIntN(words * WORD_BITS, value) !== value) words++;
  return words;
}

export type NumberColumn = Int32Array | Float64Array;

export class AmountColumn {
  private readonly view: DataView;
  private readonly start: number;
  private readonly words: number;

  constructor(view: DataView, start: number, words: number) {
    this.view = view;
    this.start = start;
    this.words = words;
  }

  /** As a machine number where that is exact. */
  plainAt(row: number): number | Units {
    if (this.words === 0) return 0;
    if (this.words > 1) return this.at(row);
    const place = this.start + row * 8;
    const high = this.view.getInt32(place + 4, true);
    return high >>> SAFE_HIGH_BITS === 0 ? high * 2 ** 32 + this.view.getUint32(place, true) : this.at(row);
  }

  /** Of the words of an amount, the highest carries the sign. */
  at(row: number): Units {
    const { view, words } = this;
    if (words === 0) return NO_UNITS;
    const place = this.start + row * words * 8;
    let value = view.getBigInt64(place + (words - 1) * 8, true);
    for (let word = words - 2; word >= 0; word--)
      value = (value << BigInt(WORD_BITS)) | view.getBigUint64(place + word * 8, true);
    return units(value);
  }
}

export class ByteReader {
  /** Columns of equal numbers: several fields of all orders are the same number. */
  private readonly alikes: NumberColumn[] = [];
  private readonly bytes: Uint8Array;
  private readonly view: DataView;
  private used = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  count(): number {
    return this.view.getUint32(this.take(4), true);
  }

  text(): string {
    const length = this.count();
    const start = this.take(length);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(
      this.bytes.subarray(start, start + length),
    );
  }

  /** Each below `limit`. */
  codes(rows: number, limit: number): Uint8Array {
    this.requireRows(rows);
    const start = this.take(rows);
    const codes = this.bytes.subarray(start, start + rows);
    for (let row = 0; row < rows; row++)
      if (!(codes[row]! < limit)) throw new RangeError(`a column has code ${codes[row]} of ${limit}`);
    return codes;
  }

  /**
   * Nobody may write to what comes back: it shares its memory with the bytes, or with a column like it. Small numbers come
   * back as such: they stay unboxed in the records that are made of them.
   */
  numbers(rows: number): NumberColumn {
    this.requireRows(rows);
    const width = this.count();
    if (width === ALIKE) return this.alike(rows, this.view.getFloat64(this.take(8), true));
    if (width !== SHORT && width !== LONG)
      throw new RangeError(`a column says that a number has ${width} bytes`);
    this.take(gap(this.used, width));
    const start = this.take(rows * width);
    const { buffer, byteOffset } = this.bytes;
    const place = byteOffset + start;
    if (IS_LITTLE_ENDIAN && place % width === 0)
      return width === SHORT ? new Int32Array(buffer, place, rows) : new Float64Array(buffer, place, rows);
    const values = width === SHORT ? new Int32Array(rows) : new Float64Array(rows);
    for (let row = 0; row < rows; row++) {
      const at = start + row * width;
      values[row] = width === SHORT ? this.view.getInt32(at, true) : this.view.getFloat64(at, true);
    }
    return values;
  }

  /** Read where they lie, when they are asked for: making 10^5 of them takes longer than all other columns. */
  amounts(rows: number): AmountColumn {
    this.requireRows(rows);
    const words = this.count();
    return new AmountColumn(this.view, this.take(rows * words * 8), words);
  }

  /** Nothing may be left. */
  end(): void {
    const left = this.bytes.length - this.used;
    if (left > 0) throw new RangeError(`${left} bytes follow its end`);
  }

  private alike(rows: number, value: number): NumberColumn {
    const known = this.alikes.find((column) => column.length === rows && Object.is(column[0], value));
    if (known !== undefined) return known;
    const isShort = Object.is(value, value | 0);
    const column = (isShort ? new Int32Array(rows) : new Float64Array(rows)).fill(value);
    this.alikes.push(column);
    return column;
  }

  private requireRows(expected: number): void {
    const found = this.count();
    if (found !== expected) throw new RangeError(`a column has ${found} rows where ${expected} belong`);
  }

  private take(length: number): number {
    const start = this.used;
    this.used += length;
    if (this.used > this.bytes.length)
      throw new RangeError(`it has ${this.bytes.length} bytes where at least ${this.used} belong`);
    return start;
  }
}
