/**
 * Exchanges that wait to be written. **Invariant.** They have a bound in number and one in bytes, whoever sends them: the
 * oldest make room for new ones. Of refusals that are alike only a few wait, so that a flood of them pushes nothing out.
 */
import type { Exchange } from "./exchange.ts";

/** Makes the exchange. In a flood most are dropped before, and cost nothing. */
export type Note = () => Exchange;

export interface WaitingNote {
  readonly note: Note;
  /** Of the memory that it keeps. */
  readonly bytes: number;
  /** Refusals with the same text are alike; null for an exchange that is kept in any case. */
  readonly like: string | null;
}

export const mostWaiting = 5000;
export const mostWaitingBytes = 8_388_608;
/** The number of refusals of one kind that are kept between two writes. */
export const mostAlike = 20;

export class WaitingNotes {
  #notes: WaitingNote[] = [];
  /** The place of the oldest; those before it are gone. */
  #from = 0;
  #bytes = 0;
  #dropped = 0;
  readonly #alike = new Map<string, number>();

  get count(): number {
    return this.#notes.length - this.#from;
  }

  /** How many were not kept, ever. */
  get dropped(): number {
    return this.#dropped;
  }

  add(one: WaitingNote): void {
    const { like, bytes } = one;
    if (like !== null) {
      const already = this.#alike.get(like) ?? 0;
      if (already >= mostAlike) {
        this.#dropped += 1;
        return;
      }
      this.#alike.set(like, already + 1);
    }
    this.#notes.push(one);
    this.#bytes += bytes;
    while (this.count > mostWaiting || (this.#bytes > mostWaitingBytes && this.count > 1)) this.#dropOldest();
  }

  /** All of them, the oldest first; none waits then. */
  take(): Note[] {
    const notes = this.#notes.slice(this.#from).map(({ note }) => note);
    this.#notes = [];
    [this.#from, this.#bytes] = [0, 0];
    this.#alike.clear();
    return notes;
  }

  #dropOldest(): void {
    const oldest = this.#notes[this.#from];
    if (oldest === undefined) return;
    this.#dropped += 1;
    this.#bytes -= oldest.bytes;
    if (oldest.like !== null) {
      const left = (this.#alike.get(oldest.like) ?? 1) - 1;
      if (left === 0) this.#alike.delete(oldest.like);
      else this.#alike.set(oldest.like, left);
    }
    this.#from += 1;
    // The list is moved once it is half empty: that costs each note one copy.
    if (this.#from * 2 < this.#notes.length) return;
    this.#notes = this.#notes.slice(this.#from);
    this.#from = 0;
  }
}
