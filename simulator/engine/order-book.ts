// tidy-allow-file no-non-null: every index into the arrays is a slot or level that this file handed out
/**
 * The order book of one product: price-time priority over plain machine numbers.
 *
 * **Layout.** A side is a *ladder*: prices in a sorted typed array with the best price at the end, so that work near
 * the touch moves few bytes, and beside it the id of the price level. A level is a doubly linked FIFO of slots. A slot
 * is one resting order, kept as a struct of arrays: nothing is allocated per order, and cancelling is O(1).
 *
 * **Invariants.** Prices of a ladder are strictly monotonic; every level holds at least one slot; a level's total is
 * the sum of its slots; within a level slots stand in order of arrival.
 *
 * **Ordering.** `first` and `next` walk a side best price first, oldest first. Reducing a slot keeps its place.
 *
 * **Known limits.** Creating a level moves the better levels (a memmove): 3.4x the cost per command from 10^2 to 10^5
 * levels. Level totals are machine numbers; the world reader refuses products whose sizes could pass 2^53 lots.
 */
import type { Lots, Ticks } from "../domain/amount.ts";
import type { OrderNumber, Side } from "../domain/order.ts";

export const NO_SLOT = -1;
/** Owner of the synthetic market's liquidity. It is no client, so self-trade prevention never sees it. */
export const MARKET_OWNER = -1;
/** Order number of the synthetic market's liquidity. */
export const SYNTHETIC: OrderNumber = 0;

export interface DepthLevel {
  readonly price: Ticks;
  readonly quantity: Lots;
}

/** One side: sorted prices, best last. BUY ladders ascend, SELL ladders descend. */
class Ladder {
  prices = new Float64Array(64);
  levels = new Int32Array(64);
  count = 0;
  readonly descending: boolean;

  constructor(side: Side) {
    this.descending = side === "SELL";
  }

  /** Position of `price`, or the complement of the position where it would stand. */
  find(price: number): number {
    const { prices, descending } = this;
    let high = this.count;
    let step = 1;
    // Gallop from the best end: most orders arrive near the touch.
    let low = high - step;
    while (low >= 0 && (descending ? prices[low]! < price : prices[low]! > price)) {
      high = low;
      step *= 2;
      low = high - step;
    }
    if (low < 0) low = 0;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const seen = prices[middle]!;
      if (seen === price) return middle;
      if (descending ? seen > price : seen < price) low = middle + 1;
      else high = middle;
    }
    return ~low;
  }

  insert(position: number, price: number, level: number): void {
    if (this.count === this.prices.length) this.grow();
    this.prices.copyWithin(position + 1, position, this.count);
    this.levels.copyWithin(position + 1, position, this.count);
    this.prices[position] = price;
    this.levels[position] = level;
    this.count++;
  }

  delete(position: number): void {
    this.prices.copyWithin(position, position + 1, this.count);
    this.levels.copyWithin(position, position + 1, this.count);
    this.count--;
  }

  private grow(): void {
    const prices = new Float64Array(this.prices.length * 2);
    prices.set(this.prices);
    this.prices = prices;
    const levels = new Int32Array(this.levels.length * 2);
    levels.set(this.levels);
    this.levels = levels;
  }
}

export class OrderBook {
  private readonly buys = new Ladder("BUY");
  private readonly sells = new Ladder("SELL");

  // Slots. `next` doubles as the free list.
  private slotCapacity = 256;
  private slotTop = 0;
  private freeSlot = NO_SLOT;
  private orderOf = new Float64Array(256);
  private ownerOf = new Int32Array(256);
  private lotsOf = new Float64Array(256);
  private nextOf = new Int32Array(256);
  private previousOf = new Int32Array(256);
  private levelOf = new Int32Array(256);

  // Levels. `headOf` doubles as the free list.
  private levelCapacity = 64;
  private levelTop = 0;
  private freeLevel = NO_SLOT;
  private headOf = new Int32Array(64);
  private tailOf = new Int32Array(64);
  private totalOf = new Float64Array(64);
  private priceOfLevel = new Float64Array(64);
  private sideOfLevel = new Uint8Array(64);

  private ladder(side: Side): Ladder {
    return side === "BUY" ? this.buys : this.sells;
  }

  /** Puts an order behind all others at its price. Returns its slot, valid until it is removed. */
  add(side: Side, price: Ticks, quantity: Lots, owner: number, order: OrderNumber): number {
    const ladder = this.ladder(side);
    const found = ladder.find(price);
    const level = found >= 0 ? ladder.levels[found]! : this.openLevel(ladder, ~found, side, price);
    const slot = this.takeSlot();
    this.orderOf[slot] = order;
    this.ownerOf[slot] = owner;
    this.lotsOf[slot] = quantity;
    this.levelOf[slot] = level;
    this.nextOf[slot] = NO_SLOT;
    const tail = this.tailOf[level]!;
    this.previousOf[slot] = tail;
    if (tail === NO_SLOT) this.headOf[level] = slot;
    else this.nextOf[tail] = slot;
    this.tailOf[level] = slot;
    this.totalOf[level]! += quantity;
    return slot;
  }

  /** Takes `quantity` from a slot; the slot leaves the book when nothing remains. True when it left. */
  reduce(slot: number, quantity: Lots): boolean {
    const remaining = this.lotsOf[slot]! - quantity;
    if (remaining === 0) {
      this.remove(slot);
      return true;
    }
    this.lotsOf[slot] = remaining;
    this.totalOf[this.levelOf[slot]!]! -= quantity;
    return false;
  }

  remove(slot: number): void {
    const level = this.levelOf[slot]!;
    const next = this.nextOf[slot]!;
    const previous = this.previousOf[slot]!;
    if (previous === NO_SLOT) this.headOf[level] = next;
    else this.nextOf[previous] = next;
    if (next === NO_SLOT) this.tailOf[level] = previous;
    else this.previousOf[next] = previous;
    this.totalOf[level]! -= this.lotsOf[slot]!;
    if (this.headOf[level] === NO_SLOT) this.closeLevel(level);
    this.nextOf[slot] = this.freeSlot;
    this.freeSlot = slot;
  }

  /** Best slot of a side, or `NO_SLOT`. */
  first(side: Side): number {
    const ladder = this.ladder(side);
    return ladder.count === 0 ? NO_SLOT : this.headOf[ladder.levels[ladder.count - 1]!]!;
  }

  /** The slot after this one in price-time priority, or `NO_SLOT`. */
  next(slot: number): number {
    const behind = this.nextOf[slot]!;
    if (behind !== NO_SLOT) return behind;
    const level = this.levelOf[slot]!;
    const ladder = this.sideOfLevel[level] === 0 ? this.buys : this.sells;
    const position = ladder.find(this.priceOfLevel[level]!);
    return position === 0 ? NO_SLOT : this.headOf[ladder.levels[position - 1]!]!;
  }

  price(slot: number): Ticks {
    return this.priceOfLevel[this.levelOf[slot]!]! as Ticks;
  }

  remaining(slot: number): Lots {
    return this.lotsOf[slot]! as Lots;
  }

  order(slot: number): OrderNumber {
    return this.orderOf[slot]!;
  }

  owner(slot: number): number {
    return this.ownerOf[slot]!;
  }

  bestPrice(side: Side): Ticks | null {
    const ladder = this.ladder(side);
    return ladder.count === 0 ? null : (ladder.prices[ladder.count - 1]! as Ticks);
  }

  levelCount(side: Side): number {
    return this.ladder(side).count;
  }

  /** The synthetic slot at a price, or `NO_SLOT`; the synthetic market has at most one slot a level. */
  syntheticAt(side: Side, price: Ticks): number {
    const ladder = this.ladder(side);
    const position = ladder.find(price);
    if (position < 0) return NO_SLOT;
    let slot = this.headOf[ladder.levels[position]!]!;
    while (slot !== NO_SLOT && this.orderOf[slot] !== SYNTHETIC) slot = this.nextOf[slot]!;
    return slot;
  }

  /** Aggregated levels, best first, at most `limit`. */
  depth(side: Side, limit: number): DepthLevel[] {
    const ladder = this.ladder(side);
    const levels: DepthLevel[] = [];
    for (let at = ladder.count - 1; at >= 0 && levels.length < limit; at--) {
      const quantity = this.totalOf[ladder.levels[at]!]! as Lots;
      levels.push({ price: ladder.prices[at]! as Ticks, quantity });
    }
    return levels;
  }

  /** Every slot of a side in price-time priority. */
  *slots(side: Side): IterableIterator<number> {
    const ladder = this.ladder(side);
    for (let at = ladder.count - 1; at >= 0; at--) {
      for (let slot = this.headOf[ladder.levels[at]!]!; slot !== NO_SLOT; slot = this.nextOf[slot]!)
        yield slot;
    }
  }

  private openLevel(ladder: Ladder, position: number, side: Side, price: number): number {
    let level = this.freeLevel;
    if (level !== NO_SLOT) this.freeLevel = this.headOf[level]!;
    else {
      if (this.levelTop === this.levelCapacity) this.growLevels();
      level = this.levelTop++;
    }
    this.headOf[level] = NO_SLOT;
    this.tailOf[level] = NO_SLOT;
    this.totalOf[level] = 0;
    this.priceOfLevel[level] = price;
    this.sideOfLevel[level] = side === "BUY" ? 0 : 1;
    ladder.insert(position, price, level);
    return level;
  }

  private closeLevel(level: number): void {
    const ladder = this.sideOfLevel[level] === 0 ? this.buys : this.sells;
    ladder.delete(ladder.find(this.priceOfLevel[level]!));
    this.headOf[level] = this.freeLevel;
    this.freeLevel = level;
  }

  private takeSlot(): number {
    const free = this.freeSlot;
    if (free !== NO_SLOT) {
      this.freeSlot = this.nextOf[free]!;
      return free;
    }
    if (this.slotTop === this.slotCapacity) this.growSlots();
    return this.slotTop++;
  }

  private growSlots(): void {
    this.slotCapacity *= 2;
    this.orderOf = widen(this.orderOf, this.slotCapacity);
    this.lotsOf = widen(this.lotsOf, this.slotCapacity);
    this.ownerOf = widen32(this.ownerOf, this.slotCapacity);
    this.nextOf = widen32(this.nextOf, this.slotCapacity);
    this.previousOf = widen32(this.previousOf, this.slotCapacity);
    this.levelOf = widen32(this.levelOf, this.slotCapacity);
  }

  private growLevels(): void {
    this.levelCapacity *= 2;
    this.headOf = widen32(this.headOf, this.levelCapacity);
    this.tailOf = widen32(this.tailOf, this.levelCapacity);
    this.totalOf = widen(this.totalOf, this.levelCapacity);
    this.priceOfLevel = widen(this.priceOfLevel, this.levelCapacity);
    const sides = new Uint8Array(this.levelCapacity);
    sides.set(this.sideOfLevel);
    this.sideOfLevel = sides;
  }
}

type Doubles = Float64Array<ArrayBuffer>;
type Words = Int32Array<ArrayBuffer>;

function widen(array: Doubles, capacity: number): Doubles {
  const wider = new Float64Array(capacity);
  wider.set(array);
  return wider;
}

function widen32(array: Words, capacity: number): Words {
  const wider = new Int32Array(capacity);
  wider.set(array);
  return wider;
}
