/** The whole state of the venue between two commands. Only `apply.ts` and what it calls change it. */

import type { Client, CreatedKey, KeyState, ProductRules } from "../domain/account.ts";
import { type Lots, lots, ticks, type Units } from "../domain/amount.ts";
import type { Event, EventKind } from "../domain/event.ts";
import type { FaultRule } from "../domain/fault.ts";
import { InvariantViolation } from "../domain/invariant.ts";
import type { Product } from "../domain/market.ts";
import { isTerminal, type Order, type OrderNumber } from "../domain/order.ts";
import type { Settings } from "../domain/settings.ts";
import type { World } from "../domain/world.ts";
import { Agenda } from "./agenda.ts";
import { LevelBook } from "./book/level-book.ts";
import type { OrderBook } from "./book/order-book.ts";
import { type Changes, noChanges } from "./changes.ts";
import { Ledger, outsideWorld } from "./ledger.ts";
import { StopBook } from "./stop-book.ts";
import { Tape } from "./tape.ts";

/** One product's market. */
export interface Market {
  readonly product: Product;
  readonly book: OrderBook;
  readonly stops: StopBook;
  readonly tape: Tape;
  /** Grows with every change of the visible book; REST and stream share it. */
  bookSequence: number;
  /** When the book last changed, and when the synthetic market was last refreshed, on the market clock. */
  bookChangedAt: number;
  refreshedAt: number;
  /** Whether there was a trade with the synthetic market since its last refresh. */
  liquidityTouched: boolean;
  halted: boolean;
  apiEnabled: boolean;
  updatedAt: number;
}

export interface DepositAddress {
  readonly number: number;
  readonly client: number;
  readonly asset: number;
  readonly network: string;
  readonly address: string;
  readonly accountIdentifier: string | null;
  readonly createdAt: number;
}

export interface Deposit {
  readonly number: number;
  readonly client: number;
  readonly asset: number;
  readonly network: string;
  readonly amount: Units;
  readonly address: string;
  readonly accountIdentifier: string | null;
  readonly confirmationsRequired: number;
  readonly createdAt: number;
  confirmations: number;
  status: "PENDING" | "CONFIRMED" | "FAILED";
  updatedAt: number;
  completedAt: number | null;
}

export class VenueState {
  readonly world: World;
  /** Market time of the last command, and its sequence number. */
  now: number;
  seq = 0;
  trades = 0;
  #newest: OrderNumber = 0;
  settings: Settings;
  faults: readonly FaultRule[];
  readonly clients: readonly Client[];
  readonly ledger: Ledger;
  readonly markets: readonly Market[];
  /** All orders, in order of acceptance. */
  readonly orders = new Map<OrderNumber, Order>();
  readonly agenda = new Agenda(this.orders);
  /** Stops that a trade has triggered and whose `TriggerStop` is still to come; no other command comes before it. */
  readonly triggered: OrderNumber[] = [];
  readonly keyStates = new Map<string, KeyState>();
  /** In the order of their making. */
  readonly createdKeys: CreatedKey[] = [];
  /** By key id, of the keys that were created or rotated. A value: a change replaces it with another one. */
  keySalts: ReadonlyMap<string, string> = new Map();
  readonly addresses: DepositAddress[] = [];
  readonly deposits: Deposit[] = [];
  /** Of the current entry, or of the last. */
  changes: Changes = noChanges();

  constructor(world: World) {
    this.world = world;
    this.now = world.startAt;
    this.settings = world.settings;
    this.faults = world.faults;
    this.clients = world.clients.map((seed, index) => ({
      index,
      name: seed.name,
      feeModel: seed.feeModel,
      rates: seed.rates,
      tradingEnabled: true,
      rules: new Map(seed.rules),
      wallets: new Map(),
      volumes: new Map(),
      orders: [],
      openOrders: new Set(),
      orderIds: new Map(),
      updatedAt: world.startAt,
    }));
    this.ledger = new Ledger(this);
    this.markets = world.products.map((product) => newMarket(product, world));
    for (const keyId of world.disabledKeys) this.keyStates.set(keyId, "disabled");
    this.#fundClients();
  }

  #fundClients(): void {
    for (const [index, seed] of this.world.clients.entries()) {
      for (const [asset, amount] of seed.balances)
        this.ledger.transfer(outsideWorld, index, asset, amount, this.now);
    }
  }

  market(index: number): Market {
    const market = this.markets[index];
    if (market === undefined) throw missing("product", index);
    return market;
  }

  client(index: number): Client {
    const client = this.clients[index];
    if (client === undefined) throw missing("client", index);
    return client;
  }

  order(number: OrderNumber): Order {
    const order = this.orders.get(number);
    if (order === undefined) throw missing("order", number);
    return order;
  }

  /** Enters an order, accepted just now or before a snapshot, wherever it is looked for but in its market. */
  enter(order: Order): void {
    const { number, client, clientOrderId } = order.terms;
    const owner = this.client(client);
    const id = clientOrderId.toLowerCase();
    if (number <= this.#newest) throw new InvariantViolation(`order ${number} follows order ${this.#newest}`);
    if (owner.orderIds.has(id))
      throw new InvariantViolation(`client ${client} has two orders with client_order_id ${id}`);
    this.#newest = number;
    this.orders.set(number, order);
    owner.orders.push(number);
    owner.orderIds.set(id, number);
    if (!isTerminal(order.status)) owner.openOrders.add(number);
    if (order.due !== null) this.agenda.addAction(number, order.due.at);
    if (order.syncAt !== null) this.agenda.addSync(number, order.syncAt);
  }

  marketOf(productId: string): Market | null {
    return this.markets.find((market) => market.product.id === productId) ?? null;
  }

  /** Those of the world, and those that were created. */
  get keys(): readonly CreatedKey[] {
    return [...this.world.keys, ...this.createdKeys];
  }

  keyState(keyId: string): KeyState {
    return this.keyStates.get(keyId) ?? "enabled";
  }
}

/** Made only when it is thrown, because every command does these look-ups. */
const missing = (what: string, number: number): InvariantViolation =>
  new InvariantViolation(`there is no ${what} ${number}`);

function newMarket(product: Product, world: World): Market {
  return {
    product,
    book: new LevelBook(),
    stops: new StopBook(),
    tape: new Tape(ticks(product.referencePrice)),
    bookSequence: 0,
    bookChangedAt: world.startAt,
    refreshedAt: Number.NEGATIVE_INFINITY,
    liquidityTouched: false,
    halted: false,
    apiEnabled: !world.apiDisabled.has(product.index),
    updatedAt: world.startAt,
  };
}

/** One applying function for each of these kinds of events. */
export type Appliers<Kinds extends EventKind> = {
  readonly [Kind in Kinds]: (state: VenueState, event: Event<Kind>, at: number) => void;
};

/** Lots of an order that may still be filled; null for a MARKET BUY, which its budget sizes. */
export function remainingLots({ terms: { quantity }, filled, removed }: Order): Lots | null {
  return quantity === null ? null : lots(quantity - filled - removed);
}

/** The effective rules of a client for a product: its own values where set, else none. */
export function rulesOf(client: Client, product: number): ProductRules {
  return client.rules.get(product) ?? noRules;
}

const noRules: ProductRules = {
  enabled: true,
  minOrderSize: null,
  maxOrderSize: null,
  minQuoteValue: null,
  maxQuoteValue: null,
};
