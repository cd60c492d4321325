import { textOf } from "./amounts.ts";
import { Refusal } from "./authenticator.ts";
import type { Market } from "./market.ts";
import { type Draft, isLive, type Order, type Record_, type Writer } from "./order.ts";
import type { Wallets } from "./wallets.ts";
import { type Key, products, reservedFailures, reservedRefusal } from "./world.ts";

/** The query of a list. */
export interface Filter {
  readonly status?: string;
  readonly product?: string;
  readonly clientOrderId?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** Takes orders of clients, remembers them, and shows each client its own. */
export class Desk {
  readonly orders: Order[] = [];
  readonly byClientOrderId = new Map<string, Order>();
  readonly market: Market;
  readonly wallets: Wallets;
  readonly writer: Writer;
  #placed = 0;

  constructor(market: Market, wallets: Wallets, writer: Writer) {
    this.market = market;
    this.wallets = wallets;
    this.writer = writer;
  }

  /** The `data` of an answer to a placement; a fault of the client is thrown. */
  place(key: Key, draft: Draft): Record_ | Promise<Record_> {
    if (key.client === undefined)
      return { type: "CLIENT_NOT_FOUND", message: "there is no account behind this key" };
    const original = this.earlier(key, draft);
    return original === undefined ? this.placeNew(key, draft) : this.replay(original, draft);
  }

  placeNew(key: Key, draft: Draft): Record_ {
    this.checkRules(draft);
    const failed = reservedFailures[draft.clientOrderId.slice(0, 8).toLowerCase()];
    if (failed !== undefined) return this.failed(failed, draft);
    const order = this.create(key, draft);
    if (draft.clientOrderId.startsWith(reservedRefusal)) throw new Refusal(400, "the exchange refuses this");
    if (!this.wallets.covers(order)) this.refuseFunds(order);
    if (draft.type === "MARKET" && this.market.opposite(order).length === 0)
      return this.failed("EXTERNAL_EXECUTION_FAILED", draft);
    return this.accept(key, order);
  }

  accept(key: Key, order: Order): Record_ {
    this.orders.push(order);
    this.byClientOrderId.set(this.indexOf(key, order), order);
    this.wallets.hold(order, this.wallets.needed(order));
    const asAccepted = this.writer.view(order);
    this.market.listener.order(order);
    this.market.enter(order);
    return { type: "NEW_ORDER", order: asAccepted };
  }

  earlier(key: Key, draft: Draft): Order | undefined {
    return this.byClientOrderId.get(this.indexOf(key, draft));
  }

  indexOf({ client }: Key, { clientOrderId }: Draft): string {
    return `${client} ${clientOrderId.toLowerCase()}`;
  }

  replay(original: Order, _draft: Draft): Record_ {
    return {
      type: "DUPLICATE_REPLAY",
      order: this.writer.view(original),
      message: "this client_order_id stands for an order that exists",
    };
  }

  failed(type: string, _draft: Draft): Record_ {
    return { type, message: "the order could not be executed; no order exists" };
  }

  checkRules({ product, quantity, spend }: Draft): void {
    if (!product.enabled) throw new Refusal(400, `${product.id} is not enabled for this account`);
    const [size, least, most] =
      quantity === undefined
        ? [spend ?? 0n, product.leastSpend, product.mostSpend]
        : [quantity, product.smallest, product.largest];
    if (size < least) throw new Refusal(400, `the order is below the minimum of ${textOf(least)}`);
    if (size > most) throw new Refusal(400, `the order is above the maximum of ${textOf(most)}`);
  }

  refuseFunds(order: Order): never {
    throw new Refusal(400, `the account does not have ${textOf(this.wallets.needed(order))}`);
  }

  create(key: Key, draft: Draft): Order {
    this.#placed += 1;
    const time = this.market.now();
    return {
      ...draft,
      id: this.newId(this.#placed),
      ordinal: this.#placed,
      client: key.client ?? "",
      keyId: key.id,
      status: draft.type === "STOP_LIMIT" ? "PENDING" : "OPEN",
      filled: 0n,
      value: 0n,
      fees: 0n,
      held: 0n,
      fills: [],
      created: time,
      updated: time,
      synced: false,
    };
  }

  /** Short, in order of placing, and one the beginning of another. */
  newId(count: number): string {
    return `L${count}`;
  }

  cancel(key: Key, id: string): Record_ {
    const order = this.found(key, id);
    if (!isLive(order)) this.refuseCancel(order);
    this.market.finish(order, "CANCELLED");
    this.market.afterwards(order.product);
    return this.writer.view(order);
  }

  refuseCancel({ status }: Order): void {
    throw new Refusal(409, `the order has ended: ${status}`);
  }

  read(key: Key, id: string): Record_ {
    return this.writer.view(this.found(key, id));
  }

  found(key: Key, id: string): Order {
    const order = this.orders.find((known) => known.id === id && this.isOwn(key, known));
    if (order === undefined) throw new Refusal(404, "no such order");
    return order;
  }

  isOwn({ client }: Key, order: Order): boolean {
    return order.client === client;
  }

  open(key: Key): Record_[] {
    return this.orders
      .filter((order) => this.isOwn(key, order) && this.isOpen(order))
      .map((order) => this.writer.view(order));
  }

  isOpen(order: Order): boolean {
    return isLive(order);
  }

  /** Newest first, page by page; the cursor is the last order of the page before. */
  list(key: Key, filter: Filter): Record_ {
    const all = this.orders.filter((order) => this.fits(key, order, filter)).reverse();
    const page = all.slice(0, filter.limit);
    const end = page.at(-1);
    return {
      items: page.map((order) => this.writer.view(order)),
      nextCursor: end === undefined || all.length <= filter.limit ? null : String(end.ordinal),
    };
  }

  fits(key: Key, order: Order, filter: Filter): boolean {
    return (
      this.isOwn(key, order) &&
      (filter.cursor === undefined || order.ordinal < Number(filter.cursor)) &&
      (filter.status === undefined || order.status === filter.status) &&
      (filter.product === undefined || order.product.id === filter.product) &&
      (filter.clientOrderId === undefined || order.clientOrderId === filter.clientOrderId)
    );
  }

  groups(): Record_[] {
    return [...new Set(products.map(({ base }) => base))].map((name) => ({
      name,
      availablePairs: this.pairs().filter((pair) => pair["base"] === name),
    }));
  }

  pairs(): Record_[] {
    return products.map((product) => ({
      id: product.id,
      apiEnabled: product.enabled,
      base: product.base,
      quote: product.quote,
      exchangeProductId: product.id.replace("-", "/"),
      exchangeMinSize: { value: textOf(product.smallest) },
      exchangeMaxSize: { value: textOf(product.largest) },
      exchangeBaseIncrement: { value: textOf(product.quantityStep) },
      exchangeQuoteMinSize: { value: textOf(product.leastSpend) },
      exchangeQuoteMaxSize: { value: textOf(product.mostSpend) },
      minOrderSize: { value: textOf(product.smallest) },
      maxOrderSize: { value: textOf(product.largest) },
      createdAt: "2026-01-05T09:00:00+00:00",
      updatedAt: "2026-02-01T09:00:00+00:00",
    }));
  }
}
