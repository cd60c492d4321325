import { affordable, fixed, least, rounded, textOf, times } from "./amounts.ts";
import { isLive, leftOf, type Order, type Side } from "./order.ts";
import { Tape, type Trade } from "./tape.ts";
import type { Wallets } from "./wallets.ts";
import { house, type Product, products, rates } from "./world.ts";

export type Level = readonly [price: string, quantity: string];
export interface Depth {
  readonly version: number;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

/** A listener for the events of the market. */
export interface Listener {
  order: (order: Order) => void;
  depth: (product: Product, before: Depth, after: Depth) => void;
  trade: (trade: Trade) => void;
}

/** Price before time; a trade has the price of the order that was there first. */
export class Market {
  readonly resting = new Map<string, Order[]>();
  readonly waiting: Order[] = [];
  readonly last = new Map<string, bigint>();
  readonly depths = new Map<string, Depth>();
  readonly tape = new Tape();
  readonly wallets: Wallets;
  readonly listener: Listener;
  now: () => number = Date.now;

  constructor(wallets: Wallets, listener: Listener) {
    this.wallets = wallets;
    this.listener = listener;
    for (const product of products) {
      const levels = [...sided("BUY", product.bids), ...sided("SELL", product.asks)];
      this.resting.set(
        product.id,
        levels.map(([side, price], at) => houseOrder(product, side, price, at)),
      );
      const [bid, ask] = [product.bids[0] ?? "1", product.asks[0] ?? "1"];
      this.last.set(product.id, (fixed(bid) + fixed(ask)) / 2n);
      this.depths.set(product.id, { version: 1, ...this.levels(product) });
    }
  }

  book(product: Product): Order[] {
    return this.resting.get(product.id) ?? [];
  }

  /** Sends an accepted order to the market. */
  enter(order: Order): void {
    if (order.type === "STOP_LIMIT" && !this.isTriggered(order)) {
      this.waiting.push(order);
      this.touch(order);
    } else this.execute(order);
    this.afterwards(order.product);
  }

  execute(order: Order): void {
    order.status = "OPEN";
    this.match(order);
    if (!isLive(order)) return;
    if (order.type === "MARKET") this.finish(order, this.isSpent(order) ? "FILLED" : "CANCELLED");
    else {
      this.book(order.product).push(order);
      this.touch(order);
    }
  }

  match(taker: Order): void {
    for (const maker of this.opposite(taker)) {
      if (!isLive(taker) || !this.crosses(taker, maker)) return;
      const price = this.tradePrice(taker, maker);
      const quantity = this.tradable(taker, maker, price);
      if (quantity > 0n) this.trade(taker, maker, quantity, price);
    }
  }

  /** The other side of the book, best price first; among equals the earlier one. */
  opposite({ side, product }: Order): Order[] {
    const sign = side === "BUY" ? 1 : -1;
    return this.book(product)
      .filter((other) => other.side !== side && leftOf(other) > 0n)
      .sort(
        (a, b) =>
          sign * Number(priceOf(a) > priceOf(b)) - sign * Number(priceOf(a) < priceOf(b)) ||
          a.ordinal - b.ordinal,
      );
  }

  crosses({ type, side, price = 0n }: Order, maker: Order): boolean {
    if (type === "MARKET") return true;
    return side === "BUY" ? priceOf(maker) <= price : priceOf(maker) >= price;
  }

  tradePrice(_taker: Order, maker: Order): bigint {
    return priceOf(maker);
  }

  tradable(taker: Order, maker: Order, price: bigint): bigint {
    const { spend, value, product } = taker;
    const wanted =
      spend === undefined ? leftOf(taker) : affordable(spend - value, price, product.quantityStep);
    return least(wanted, leftOf(maker));
  }

  trade(taker: Order, maker: Order, quantity: bigint, price: bigint): void {
    const { product, side } = taker;
    this.last.set(product.id, price);
    const trade = { product, side, price, quantity, time: this.now() };
    this.tape.trades.push(trade);
    this.listener.trade(trade);
    this.fill(taker, quantity, price, rates.taker);
    this.fill(maker, quantity, price, rates.maker);
  }

  fill(order: Order, quantity: bigint, price: bigint, rate: bigint): void {
    const value = times(price, quantity);
    const fee = this.fee(order, value, rate);
    order.fills.push({ price, quantity });
    order.filled += quantity;
    order.value += value;
    order.fees += fee;
    this.wallets.move(order, quantity, value, fee);
    if (order.spend === undefined && leftOf(order) <= 0n) this.finish(order, "FILLED");
    else this.touch(order);
  }

  fee(_order: Order, value: bigint, rate: bigint): bigint {
    return rounded(times(value, rate), 10);
  }

  isSpent({ spend, value, product, filled }: Order): boolean {
    const best = this.last.get(product.id) ?? 0n;
    return spend !== undefined && filled > 0n && affordable(spend - value, best, product.quantityStep) === 0n;
  }

  /** The order has changed: its hold follows, and its owner hears of it. */
  touch(order: Order): void {
    if (order.client === house) return;
    order.updated = this.now();
    order.synced = true;
    this.wallets.hold(order, this.holdFor(order));
    this.listener.order(order);
  }

  holdFor(order: Order): bigint {
    return isLive(order) ? this.wallets.needed(order) : 0n;
  }

  finish(order: Order, status: "FILLED" | "CANCELLED"): void {
    order.status = status;
    this.leave(order);
    this.touch(order);
  }

  leave(order: Order): void {
    if (order.client === house) return;
    for (const list of [this.book(order.product), this.waiting]) {
      const at = list.indexOf(order);
      if (at !== -1) list.splice(at, 1);
    }
  }

  isTriggered({ side, stop = 0n, product }: Order): boolean {
    const last = this.last.get(product.id) ?? 0n;
    return side === "BUY" ? last >= stop : last <= stop;
  }

  /** Stops that the last trades have set off, each of which may set off others; then the house is whole again. */
  afterwards(product: Product): void {
    for (;;) {
      const order = this.waiting.find((stop) => stop.product === product && this.isTriggered(stop));
      if (order === undefined) break;
      this.waiting.splice(this.waiting.indexOf(order), 1);
      this.execute(order);
    }
    for (const order of this.book(product)) {
      if (order.client === house) Object.assign(order, { filled: 0n, status: "OPEN" });
    }
    this.publish(product);
  }

  publish(product: Product): void {
    const before = this.depth(product);
    const levels = this.levels(product);
    if (JSON.stringify([before.bids, before.asks]) === JSON.stringify([levels.bids, levels.asks])) return;
    const after = { version: before.version + 1, ...levels };
    this.depths.set(product.id, after);
    this.listener.depth(product, before, after);
  }

  depth(product: Product): Depth {
    return this.depths.get(product.id) ?? { version: 0, bids: [], asks: [] };
  }

  levels(product: Product): Omit<Depth, "version"> {
    const side = (of: Side): Level[] => {
      const sums = new Map<bigint, bigint>();
      for (const order of this.opposite({ side: of === "BUY" ? "SELL" : "BUY", product } as Order))
        sums.set(priceOf(order), (sums.get(priceOf(order)) ?? 0n) + leftOf(order));
      return [...sums].map(([price, quantity]) => [textOf(price), textOf(quantity)]);
    };
    return { bids: side("BUY"), asks: side("SELL") };
  }
}

const priceOf = ({ price = 0n }: Order): bigint => price;
const sided = (side: Side, prices: readonly string[]) => prices.map((price) => [side, price] as const);

function houseOrder(product: Product, side: Side, price: string, at: number): Order {
  return {
    id: `house-${product.id}-${at}`,
    ordinal: at - 1000,
    client: house,
    keyId: "",
    clientOrderId: "",
    product,
    side,
    type: "LIMIT",
    quantity: fixed(product.depth),
    spend: undefined,
    price: fixed(price),
    stop: undefined,
    status: "OPEN",
    filled: 0n,
    value: 0n,
    fees: 0n,
    held: 0n,
    fills: [],
    created: 0,
    updated: 0,
    synced: true,
  };
}
