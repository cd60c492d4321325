/**
 * The order book of one product, kept from the stream: a snapshot, then every update that follows it.
 * An update that begins elsewhere means that something is lost: take a new snapshot.
 */
export interface Level {
  price: string;
  quantity: string;
}
export interface BookData {
  bookSequence: number;
  prevBookSequence?: number;
  bids: Level[];
  asks: Level[];
}
type Side = Map<string, string>;

export class LocalBook {
  /** Which change of the venue's book this is; undefined while the book is not to be trusted. */
  sequence: number | undefined;
  #bids: Side = new Map();
  #asks: Side = new Map();

  snapshot({ bookSequence, bids, asks }: BookData): void {
    this.#bids = new Map(bids.map(({ price, quantity }) => [price, quantity]));
    this.#asks = new Map(asks.map(({ price, quantity }) => [price, quantity]));
    this.sequence = bookSequence;
  }

  /** False when there is a gap between the book and the update. */
  update({ bookSequence, prevBookSequence, bids, asks }: BookData): boolean {
    if (this.sequence === undefined || bookSequence <= this.sequence) return true; // nothing to miss: a snapshot has it
    if (prevBookSequence !== this.sequence) return false;
    change(this.#bids, bids);
    change(this.#asks, asks);
    this.sequence = bookSequence;
    return true;
  }

  /** Best first. */
  levels(): { bids: Level[]; asks: Level[] } {
    return { bids: sorted(this.#bids, descending), asks: sorted(this.#asks, ascending) };
  }
}

type Order = (a: Level, b: Level) => number;
const ascending: Order = (a, b) => Number(a.price) - Number(b.price);
const descending: Order = (a, b) => ascending(b, a);

function change(side: Side, levels: Level[]): void {
  for (const { price, quantity } of levels) {
    if (quantity === "0")
      side.delete(price); // it is gone, or is no longer one of the best 100
    else side.set(price, quantity); // absolute, not a difference
  }
}

function sorted(side: Side, order: Order): Level[] {
  return Array.from(side, ([price, quantity]) => ({ price, quantity })).sort(order);
}
