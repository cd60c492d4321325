// tidy-allow-file no-non-null: every record number was handed out by `take`, so its page is there
/**
 * Fixed records of 32 bytes with a free list: two doubles (fields 0 and 1), then four words (fields 4 to 7).
 *
 * **Layout.** A record is half a cache line and never straddles two: what is known about an order arrives with one
 * miss. A page is one buffer under two views, so that a double and a word of a record stand side by side. Pages never move:
 * growing adds one and copies nothing, and no order waits for a book to be copied.
 *
 * **Invariants.** A record number is valid from `take` to `give`; `take` returns the record freed last, its fields as
 * they were left.
 *
 * **Known limits.** A pool never shrinks.
 */
import type { NumberColumn } from "./snapshot-bytes.ts";

export const NO_RECORD = -1;

export type DoubleField = 0 | 1;
export type WordField = 4 | 5 | 6 | 7;

const PAGE_BITS = 11;
const PAGE = 1 << PAGE_BITS;
const IN_PAGE = PAGE - 1;
/** The words that link a chain. Free records are one, too, by the first of them. */
const NEXT = 4;
const PREVIOUS = 5;

/** What the records of a chain hold, and where their numbers go. */
export interface ChainRows {
  readonly first: Float64Array;
  readonly second: NumberColumn;
  readonly seventh: Int32Array;
  readonly into: Int32Array;
}

export class RecordPool {
  private readonly doubles: Float64Array[] = [];
  private readonly words: Int32Array[] = [];
  private top = 0;
  private free = NO_RECORD;

  /** Every record handed out so far is below it. */
  get limit(): number {
    return this.top;
  }

  take(): number {
    const freed = this.free;
    if (freed !== NO_RECORD) {
      this.free = this.word(freed, NEXT);
      return freed;
    }
    if (this.top === this.doubles.length * PAGE) this.addPage();
    return this.top++;
  }

  give(record: number): void {
    this.setWord(record, NEXT, this.free);
    this.free = record;
  }

  double(record: number, field: DoubleField): number {
    return this.doubles[record >>> PAGE_BITS]![((record & IN_PAGE) << 2) + field]!;
  }

  setDouble(record: number, field: DoubleField, value: number): void {
    this.doubles[record >>> PAGE_BITS]![((record & IN_PAGE) << 2) + field] = value;
  }

  word(record: number, field: WordField): number {
    return this.words[record >>> PAGE_BITS]![((record & IN_PAGE) << 3) + field]!;
  }

  setWord(record: number, field: WordField, value: number): void {
    this.words[record >>> PAGE_BITS]![((record & IN_PAGE) << 3) + field] = value;
  }

  /**
   * Takes a record for each row of a chain and links it both ways. Row by row its doubles are `first` and `second`; `sixth`
   * is the same in all. Their numbers go to `into`, from `start` on.
   */
  takeChain(rows: ChainRows, start: number, end: number, sixth: number): void {
    const { first, second, seventh, into } = rows;
    let previous = NO_RECORD;
    for (let row = start; row < end; row++) {
      const record = this.take();
      const doubles = this.doubles[record >>> PAGE_BITS]!;
      const words = this.words[record >>> PAGE_BITS]!;
      const at = (record & IN_PAGE) << 2;
      doubles[at] = first[row]!;
      doubles[at + 1] = second[row]!;
      words[2 * at + NEXT] = NO_RECORD;
      words[2 * at + PREVIOUS] = previous;
      words[2 * at + 6] = sixth;
      words[2 * at + 7] = seventh[row]!;
      if (previous !== NO_RECORD) this.setWord(previous, NEXT, record);
      into[row] = record;
      previous = record;
    }
  }

  /** Writes down a record and all behind it in its chain, from `at` on; returns the place behind the last. */
  listChain(record: number, into: Int32Array, at: number): number {
    const { words } = this;
    let place = at;
    for (let next = record; next !== NO_RECORD; place++) {
      into[place] = next;
      next = words[next >>> PAGE_BITS]![((next & IN_PAGE) << 3) + NEXT]!;
    }
    return place;
  }

  /** One double of many records. */
  gather(records: Int32Array, field: DoubleField): Float64Array {
    const { doubles } = this;
    const values = new Float64Array(records.length);
    for (let at = 0; at < records.length; at++) {
      const record = records[at]!;
      values[at] = doubles[record >>> PAGE_BITS]![((record & IN_PAGE) << 2) + field]!;
    }
    return values;
  }

  private addPage(): void {
    const doubles = new Float64Array(PAGE * 4);
    this.doubles.push(doubles);
    this.words.push(new Int32Array(doubles.buffer));
  }
}
