/* oxlint-disable typescript/no-non-null-assertion -- every record number was handed out by `take`, so its page is there */
/**
 * Fixed records of 32 bytes with a free list: two doubles (fields 0 and 1), then four words (fields 4 to 7).
 *
 * **Layout.** A record is half a cache line and never straddles two: all data of an order arrives with one
 * cache miss. A page is one buffer under two views, so that a double and a word of a record are side by side. Pages never move:
 * growing adds one and copies nothing, and no order waits for a book to be copied.
 *
 * **Invariants.** A record number is valid from `take` to `give`; `take` returns the record freed last, its fields as
 * they were left.
 *
 * **Known limits.** A pool never shrinks.
 */
export const noRecord = -1;

export type DoubleField = 0 | 1;
export type WordField = 4 | 5 | 6 | 7;

const pageBits = 6;
const page = 1 << pageBits;
const inPage = page - 1;
/** The word that links free records. */
const nextField = 4;

export class RecordPool {
  readonly #doubles: Float64Array[] = [];
  readonly #words: Int32Array[] = [];
  #top = 0;
  #free = noRecord;

  take(): number {
    const freed = this.#free;
    if (freed !== noRecord) {
      this.#free = this.word(freed, nextField);
      return freed;
    }
    if (this.#top === this.#doubles.length * page) this.#addPage();
    return this.#top++;
  }

  give(record: number): void {
    this.setWord(record, nextField, this.#free);
    this.#free = record;
  }

  double(record: number, field: DoubleField): number {
    return this.#doubles[record >>> pageBits]![((record & inPage) << 2) + field]!;
  }

  setDouble(record: number, field: DoubleField, value: number): void {
    this.#doubles[record >>> pageBits]![((record & inPage) << 2) + field] = value;
  }

  word(record: number, field: WordField): number {
    return this.#words[record >>> pageBits]![((record & inPage) << 3) + field]!;
  }

  setWord(record: number, field: WordField, value: number): void {
    this.#words[record >>> pageBits]![((record & inPage) << 3) + field] = value;
  }

  #addPage(): void {
    const doubles = new Float64Array(page * 4);
    this.#doubles.push(doubles);
    this.#words.push(new Int32Array(doubles.buffer));
  }
}
