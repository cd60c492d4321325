// tidy-allow-file no-non-null: every place is below `used`, every position of the table is masked
/**
 * Which order a client already has under a `client_order_id` (PLC-10): the memory of idempotency.
 *
 * **Layout.** Ids stand in order of acceptance as words in typed arrays; a table with open addressing says where each
 * one is. About 40 bytes an order where a `Map` of strings takes 334, and nothing for the garbage collector to walk. The
 * ids of a snapshot have this layout already: only the table is made anew.
 *
 * **Invariants.** Entries are never removed: an id stays taken for the life of the venue. No id stands here twice for
 * one client; a second one is refused.
 */
import { InvariantViolation } from "../domain/invariant.ts";
import type { OrderNumber } from "../domain/order.ts";
import { ID_WORDS, idText, readIdWords } from "./id-words.ts";

const FIRST = 512;

export class ClientOrderIndex {
  private used = 0;
  private ids: Int32Array = new Int32Array(FIRST * ID_WORDS);
  private clients: Int32Array = new Int32Array(FIRST);
  private numbers: Float64Array = new Float64Array(FIRST);
  /** Place of an id and one more; 0 = free. */
  private table = new Int32Array(tableFor(FIRST));
  private readonly probe = new Int32Array(ID_WORDS);

  get size(): number {
    return this.used;
  }

  /** The order of `client` under this id, letter case aside, or null. */
  find(client: number, clientOrderId: string): OrderNumber | null {
    readIdWords(clientOrderId, this.probe, 0);
    const entry = this.table[this.seek(this.probe, 0, client)]!;
    return entry === 0 ? null : this.numbers[entry - 1]!;
  }

  add(client: number, clientOrderId: string, order: OrderNumber): void {
    if (this.used === this.numbers.length) this.widen();
    const place = this.used;
    readIdWords(clientOrderId, this.ids, place * ID_WORDS);
    this.clients[place] = client;
    this.numbers[place] = order;
    this.enter(place);
    this.used++;
  }

  /** Takes over the ids of all orders so far; the index must be empty, and the arrays are nobody else's to change. */
  load(ids: Int32Array, clients: Int32Array, numbers: Float64Array): void {
    this.ids = ids;
    this.clients = clients;
    this.numbers = numbers;
    this.table = new Int32Array(tableFor(numbers.length));
    for (let place = 0; place < numbers.length; place++) this.enter(place);
    this.used = numbers.length;
  }

  private enter(place: number): void {
    const { ids, clients } = this;
    const at = this.seek(ids, place * ID_WORDS, clients[place]!);
    if (this.table[at] !== 0) {
      const id = idText(ids, place * ID_WORDS, 0);
      throw new InvariantViolation(`client ${clients[place]!} has two orders with client_order_id ${id}`);
    }
    this.table[at] = place + 1;
  }

  /** Where the id that stands in `words` is in the table, or the free position for it. */
  private seek(words: Int32Array, base: number, client: number): number {
    const { ids, clients, table } = this;
    const [a, b, c, d] = [words[base]!, words[base + 1]!, words[base + 2]!, words[base + 3]!];
    let hash = a ^ Math.imul(b, 0x9e3779b1) ^ Math.imul(client + 1, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 15) ^ c, 0x2c1b3c6d) ^ d;
    const mask = table.length - 1;
    for (let at = (hash ^ (hash >>> 13)) & mask; ; at = (at + 1) & mask) {
      const entry = table[at]!;
      if (entry === 0) return at;
      const from = (entry - 1) * ID_WORDS;
      const isSame = ids[from] === a && ids[from + 1] === b && ids[from + 2] === c && ids[from + 3] === d;
      if (isSame && clients[entry - 1] === client) return at;
    }
  }

  private widen(): void {
    const places = Math.max(FIRST, this.used * 2);
    const { ids, clients, numbers } = this;
    this.ids = new Int32Array(places * ID_WORDS);
    this.ids.set(ids);
    this.clients = new Int32Array(places);
    this.clients.set(clients);
    this.numbers = new Float64Array(places);
    this.numbers.set(numbers);
    this.table = new Int32Array(tableFor(places));
    for (let place = 0; place < this.used; place++) this.enter(place);
  }
}

/** Positions for so many ids: a power of two, at most seven tenths of it taken. */
function tableFor(ids: number): number {
  let positions = 1024;
  while (ids * 10 > positions * 7) positions *= 2;
  return positions;
}
