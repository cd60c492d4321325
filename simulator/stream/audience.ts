/**
 * Who hears what. An audience is the set of connections that one kind of message goes to; a message that nobody would get
 * is not even made.
 */
import type { Granularity } from "../wire/granularity.ts";
import { GRANULARITY_NAMES } from "../wire/granularity.ts";
import type { Body } from "./frame.ts";

export interface Listener {
  /** `product`: the one that the message is about, if it is about one. */
  hear(body: Body, product: string | null): void;
}

export class Audience {
  private readonly members = new Set<Listener>();
  private readonly onChange: () => void;

  /** `onChange` is called when the first comes and when the last goes. */
  constructor(onChange: () => void) {
    this.onChange = onChange;
  }

  get size(): number {
    return this.members.size;
  }

  add(listener: Listener): void {
    this.members.add(listener);
    if (this.members.size === 1) this.onChange();
  }

  remove(listener: Listener): void {
    if (this.members.delete(listener) && this.members.size === 0) this.onChange();
  }

  tell(body: Body, product: string | null): void {
    for (const listener of this.members) listener.hear(body, product);
  }
}

/** The audiences of one product's market. */
export interface MarketAudiences {
  readonly orderBook: Audience;
  readonly trades: Audience;
  readonly ticker: Audience;
  readonly candles: ReadonlyMap<Granularity, Audience>;
}

/** The audiences of one client's account. */
export class AccountAudiences {
  readonly orders: Audience;
  readonly wallets: Audience;
  readonly deposits: Audience;
  /** Those who asked for the orders of certain products only, by product index; few products are ever asked for. */
  readonly narrow = new Map<number, Audience>();
  private readonly make: () => Audience;

  constructor(make: () => Audience) {
    this.make = make;
    this.orders = make();
    this.wallets = make();
    this.deposits = make();
  }

  ordersOf(product: number | null): Audience {
    if (product === null) return this.orders;
    const audience = this.narrow.get(product) ?? this.make();
    this.narrow.set(product, audience);
    return audience;
  }

  get isHeard(): boolean {
    const { orders, wallets, deposits, narrow } = this;
    return (
      orders.size + wallets.size + deposits.size > 0 || [...narrow.values()].some(({ size }) => size > 0)
    );
  }
}

export class Audiences {
  readonly markets: readonly MarketAudiences[];
  readonly accounts: readonly AccountAudiences[];
  readonly heartbeat = new Audience(() => undefined);
  /** Indexes of the products and clients that somebody listens to. */
  watchedMarkets: readonly number[] = [];
  watchedAccounts: readonly number[] = [];

  constructor(products: number, clients: number) {
    const market = (): Audience => new Audience(() => this.watchMarkets());
    const account = (): Audience => new Audience(() => this.watchAccounts());
    this.markets = Array.from({ length: products }, () => ({
      orderBook: market(),
      trades: market(),
      ticker: market(),
      candles: new Map(GRANULARITY_NAMES.map((name) => [name, market()])),
    }));
    this.accounts = Array.from({ length: clients }, () => new AccountAudiences(account));
  }

  private watchMarkets(): void {
    this.watchedMarkets = indexesOf(
      this.markets,
      ({ orderBook, trades, ticker, candles }) =>
        orderBook.size + trades.size + ticker.size > 0 || [...candles.values()].some(({ size }) => size > 0),
    );
  }

  private watchAccounts(): void {
    this.watchedAccounts = indexesOf(this.accounts, ({ isHeard }) => isHeard);
  }
}

const indexesOf = <T>(all: readonly T[], wanted: (one: T) => boolean): number[] =>
  all.flatMap((one, index) => (wanted(one) ? [index] : []));
