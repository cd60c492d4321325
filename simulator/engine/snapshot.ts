/**
 * The state as text and back. Columns, not records: 10^5 open orders parse several times faster, and the file stays
 * readable. The same text is what the state hash is taken over, so two venues agree exactly when their snapshots do.
 *
 * Indexes (client order ids, agenda, book slots) are not written; they are rebuilt from the orders.
 */
import { createHash } from "node:crypto";
import { lots, ticks, units } from "../domain/amount.ts";
import { type FeeRates, isTerminal, type Order } from "../domain/order.ts";
import type { World } from "../domain/world.ts";
import { MARKET_OWNER, SYNTHETIC } from "./order-book.ts";
import { type OrderColumns, orderAt, toColumns } from "./order-columns.ts";
import { type Market, VenueState } from "./state.ts";

/** Grows when the layout changes; an older snapshot is then ignored and the journal replayed. */
export const SNAPSHOT_VERSION = 1;

/** Two documents, a line each: what is small and has amounts in it, and the long columns that parse as they stand. */
export function captureSnapshot(state: VenueState): string {
  const { columns, rates } = toColumns(state.orders);
  const head = toText({
    version: SNAPSHOT_VERSION,
    seq: state.seq,
    now: state.now,
    trades: state.trades,
    settings: state.settings,
    faults: state.faults,
    keyStates: [...state.keyStates],
    clients: state.clients.map((client) => ({
      feeModel: client.feeModel,
      rates: client.rates,
      tradingEnabled: client.tradingEnabled,
      rules: [...client.rules],
      wallets: [...client.wallets],
      updatedAt: client.updatedAt,
    })),
    venue: [...state.ledger.venue].map(([owner, balances]) => [owner, [...balances]]),
    rates,
    markets: state.markets.map(marketRecord),
    addresses: state.addresses,
    deposits: state.deposits,
  });
  return `${head}\n${JSON.stringify({ orders: columns, books: state.markets.map(bookRecord) })}`;
}

/** SHA-256 of the snapshot text, lower-case hex. */
export function stateHash(state: VenueState): string {
  return createHash("sha256").update(captureSnapshot(state)).digest("hex");
}

function marketRecord(market: Market): unknown {
  const { tape } = market;
  return {
    bookSequence: market.bookSequence,
    bookChangedAt: market.bookChangedAt,
    refreshedAt: Number.isFinite(market.refreshedAt) ? market.refreshedAt : null,
    liquidityTouched: market.liquidityTouched,
    halted: market.halted,
    apiEnabled: market.apiEnabled,
    updatedAt: market.updatedAt,
    last: tape.last,
    traded: tape.traded,
    recent: tape.recent,
    minutes: tape.minutes,
  };
}

/** Slots of both sides in price-time priority: price, order, lots. */
function bookRecord({ book }: Market): BookRecord {
  const side = (name: "BUY" | "SELL"): Slot[] =>
    [...book.slots(name)].map((slot) => [book.price(slot), book.order(slot), book.remaining(slot)]);
  return { bids: side("BUY"), asks: side("SELL") };
}

type Slot = readonly [price: number, order: number, lots: number];

interface BookRecord {
  readonly bids: readonly Slot[];
  readonly asks: readonly Slot[];
}

interface Bulk {
  readonly orders: OrderColumns;
  readonly books: readonly BookRecord[];
}

export function restoreSnapshot(world: World, text: string): VenueState {
  const headEnd = text.indexOf("\n");
  const read = fromText(text.slice(0, headEnd)) as Snapshot;
  const bulk = JSON.parse(text.slice(headEnd + 1)) as Bulk;
  const state = new VenueState(world);
  state.ledger.drain();
  state.seq = read.seq;
  state.now = read.now;
  state.trades = read.trades;
  state.settings = read.settings;
  state.faults = read.faults;
  state.keyStates.clear();
  for (const [keyId, keyState] of read.keyStates) state.keyStates.set(keyId, keyState);
  restoreClients(state, read);
  restoreOrders(state, bulk.orders, read.rates);
  for (const [index, market] of read.markets.entries()) restoreMarket(state.market(index), market);
  for (const [index, book] of bulk.books.entries()) restoreBook(state, state.market(index), book);
  state.addresses.push(...read.addresses);
  state.deposits.push(...read.deposits);
  return state;
}

interface Snapshot
  extends Pick<VenueState, "seq" | "now" | "trades" | "settings" | "faults" | "addresses" | "deposits"> {
  readonly version: number;
  readonly keyStates: [string, "enabled" | "disabled"][];
  readonly clients: (Pick<
    VenueState["clients"][number],
    "feeModel" | "rates" | "tradingEnabled" | "updatedAt"
  > & {
    readonly rules: [number, never][];
    readonly wallets: [number, never][];
  })[];
  readonly venue: [number, [number, never][]][];
  readonly rates: FeeRates[];
  readonly markets: (Omit<Market, "product" | "book" | "stops" | "tape" | "refreshedAt"> &
    Pick<Market["tape"], "last" | "traded" | "recent" | "minutes"> & {
      readonly refreshedAt: number | null;
    })[];
}

function restoreClients(state: VenueState, read: Snapshot): void {
  for (const [index, saved] of read.clients.entries()) {
    const client = state.client(index);
    client.feeModel = saved.feeModel;
    client.rates = saved.rates;
    client.tradingEnabled = saved.tradingEnabled;
    client.updatedAt = saved.updatedAt;
    client.rules.clear();
    for (const [product, rules] of saved.rules) client.rules.set(product, rules);
    client.wallets.clear();
    for (const [asset, wallet] of saved.wallets) client.wallets.set(asset, wallet);
  }
  for (const [owner, balances] of read.venue) {
    const account = state.ledger.venue.get(owner);
    account?.clear();
    for (const [asset, balance] of balances) account?.set(asset, balance);
  }
}

function restoreOrders(state: VenueState, columns: OrderColumns, rates: readonly FeeRates[]): void {
  for (const row of columns.number.keys()) indexOrder(state, orderAt(columns, rates, row));
}

function indexOrder(state: VenueState, order: Order): void {
  const { number, client, clientOrderId, product, side, stopPrice } = order.terms;
  state.orders.set(number, order);
  state.clientOrders.add(client, clientOrderId, number);
  const owner = state.client(client);
  owner.orders.push(number);
  if (!isTerminal(order.status)) owner.openOrders.add(number);
  if (order.phase === "waiting-for-stop" && stopPrice !== null)
    state.market(product).stops.add(side, stopPrice, number);
  if (order.due !== null) state.agenda.addAction(number, order.due.at);
  if (order.syncAt !== null) state.agenda.addSync(number, order.syncAt);
}

function restoreMarket(market: Market, saved: Snapshot["markets"][number]): void {
  market.bookSequence = saved.bookSequence;
  market.bookChangedAt = saved.bookChangedAt;
  market.refreshedAt = saved.refreshedAt ?? Number.NEGATIVE_INFINITY;
  market.liquidityTouched = saved.liquidityTouched;
  market.halted = saved.halted;
  market.apiEnabled = saved.apiEnabled;
  market.updatedAt = saved.updatedAt;
  market.tape.last = saved.last;
  market.tape.traded = saved.traded;
  market.tape.recent.push(...saved.recent);
  for (const minute of saved.minutes) market.tape.minutes.push(minute);
}

function restoreBook(state: VenueState, market: Market, saved: BookRecord): void {
  for (const [side, slots] of [
    ["BUY", saved.bids],
    ["SELL", saved.asks],
  ] as const) {
    for (const [price, number, quantity] of slots) {
      const order = number === SYNTHETIC ? null : state.order(number);
      const owner = order === null ? MARKET_OWNER : order.terms.client;
      const slot = market.book.add(side, ticks(price), lots(quantity), owner, number);
      if (order !== null) order.slot = slot;
    }
  }
}

/** JSON with `bigint` as `"123n"`. A string that looks so (a key may be called anything) gets a tilde in front. */
function toText(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === "bigint") return `${item}n`;
    return typeof item === "string" && LOOKS_LIKE_BIGINT.test(item) ? `~${item}` : item;
  });
}

const LOOKS_LIKE_BIGINT = /^~*-?\d+n$/;

const bigintIn = (text: string): unknown =>
  text.startsWith("~") ? text.slice(1) : units(BigInt(text.slice(0, -1)));

/** A walk of our own: with a reviver, JSON.parse takes several times as long over 10^5 orders. */
function fromText(text: string): unknown {
  return revived(JSON.parse(text));
}

function revived(value: unknown): unknown {
  if (typeof value === "string") return LOOKS_LIKE_BIGINT.test(value) ? bigintIn(value) : value;
  if (typeof value !== "object" || value === null) return value;
  // as: what JSON.parse has made belongs to nobody else yet, so it is changed in place.
  const parts = value as Record<string, unknown>;
  if (Array.isArray(value)) for (let at = 0; at < value.length; at++) value[at] = revived(value[at]);
  else for (const key of Object.keys(parts)) parts[key] = revived(parts[key]);
  return value;
}
