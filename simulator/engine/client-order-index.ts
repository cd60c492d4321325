// tidy-allow-file no-non-null: every index into the arrays is a slot or level that this file handed out
/**
 * Which order a client already has under a `client_order_id` (PLC-10): the memory of idempotency.
 *
 * Open addressing over 16-byte ids in typed arrays: about 41 bytes an order where a `Map` of strings takes 334, and
 * nothing for the garbage collector to walk. Entries are never removed; an id stays taken for the life of the venue.
 */
import type { OrderNumber } from "../domain/order.ts";

const WORDS = 5; // four of the UUID, one of the client

export class ClientOrderIndex {
  private capacity = 1024;
  private used = 0;
  private words = new Int32Array(this.capacity * WORDS);
  private numbers = new Float64Array(this.capacity);
  private readonly probe = new Int32Array(WORDS);

  get size(): number {
    return this.used;
  }

  /** The order of `client` under this id, letter case aside, or null. */
  find(client: number, clientOrderId: string): OrderNumber | null {
    this.read(client, clientOrderId, 0);
    const number = this.numbers[this.seek(this.words, this.numbers, this.capacity)]!;
    return number === 0 ? null : number;
  }

  /** The id stands in `text` from `start` on: out of many that were written as one text, none need be cut. */
  add(client: number, text: string, order: OrderNumber, start = 0): void {
    this.reserve(1);
    this.read(client, text, start);
    const at = this.seek(this.words, this.numbers, this.capacity);
    this.words.set(this.probe, at * WORDS);
    this.numbers[at] = order;
    this.used++;
  }

  /** Makes room for as many more ids at once. */
  reserve(ids: number): void {
    let { capacity } = this;
    while ((this.used + ids) * 10 > capacity * 7) capacity *= 2;
    if (capacity > this.capacity) this.grow(capacity);
  }

  private read(client: number, text: string, start: number): void {
    const { probe } = this;
    probe[0] = hexWord(text, start, start + 4) * 65536 + hexWord(text, start + 4, start + 8);
    probe[1] = hexWord(text, start + 9, start + 13) * 65536 + hexWord(text, start + 14, start + 18);
    probe[2] = hexWord(text, start + 19, start + 23) * 65536 + hexWord(text, start + 24, start + 28);
    probe[3] = hexWord(text, start + 28, start + 32) * 65536 + hexWord(text, start + 32, start + 36);
    probe[4] = client;
  }

  private seek(words: Int32Array, numbers: Float64Array, capacity: number): number {
    const { probe } = this;
    let hash = probe[0]! ^ Math.imul(probe[1]!, 0x9e3779b1) ^ Math.imul(probe[4]! + 1, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15) ^ probe[2]!, 0x2c1b3c6d) ^ probe[3]!;
    let at = (hash ^ (hash >>> 13)) & (capacity - 1);
    while (numbers[at] !== 0) {
      const base = at * WORDS;
      if (
        words[base] === probe[0] &&
        words[base + 1] === probe[1] &&
        words[base + 2] === probe[2] &&
        words[base + 3] === probe[3] &&
        words[base + 4] === probe[4]
      ) {
        return at;
      }
      at = (at + 1) & (capacity - 1);
    }
    return at;
  }

  private grow(capacity: number): void {
    const words = new Int32Array(capacity * WORDS);
    const numbers = new Float64Array(capacity);
    for (let old = 0; old < this.capacity; old++) {
      const number = this.numbers[old]!;
      if (number === 0) continue;
      this.probe.set(this.words.subarray(old * WORDS, old * WORDS + WORDS));
      const at = this.seek(words, numbers, capacity);
      words.set(this.probe, at * WORDS);
      numbers[at] = number;
    }
    this.capacity = capacity;
    this.words = words;
    this.numbers = numbers;
  }
}

/** Value of the hex digits in [from, to), letter case aside. The wire layer has checked that they are hex digits. */
function hexWord(text: string, from: number, to: number): number {
  let value = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    value = value * 16 + (code <= 57 ? code - 48 : (code | 32) - 87);
  }
  return value;
}
