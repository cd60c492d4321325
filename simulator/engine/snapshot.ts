/**
 * The state as text and back: lines of JSON. The state hash is taken over the same bytes: two venues agree exactly when
 * their snapshots do. Indexes (client order ids, agenda, stops, book slots) are not written, but made again.
 *
 * **Layout.** A line with the version; one with what is small; the orders in order of acceptance, some to a line, since a
 * string has its limit; one per product with what rests in its book.
 */
import { createHash } from "node:crypto";
import { lots, ticks, units } from "../domain/amount.ts";
import type { Order, Side } from "../domain/order.ts";
import type { World } from "../domain/world.ts";
import { MARKET_OWNER, type OrderBook, SYNTHETIC } from "./book/order-book.ts";
import { OrderReader, type OrderRow, rowOf } from "./order-rows.ts";
import { type Market, remainingLots, VenueState } from "./state.ts";

/** Grows when the layout changes; a snapshot of another version is passed over and the journal replayed. */
const SNAPSHOT_VERSION = 5;
const ORDERS_A_LINE = 100;
const SIDES: readonly Side[] = ["BUY", "SELL"];

export function captureSnapshot(state: VenueState): Uint8Array {
  const lines = [`{"snapshot":${SNAPSHOT_VERSION}}`, toText(headOf(state))].map(lineOf);
  const orders = [...state.orders.values()];
  for (let from = 0; from < orders.length; from += ORDERS_A_LINE)
    lines.push(lineOf(JSON.stringify(orders.slice(from, from + ORDERS_A_LINE).map(rowOf))));
  for (const { book } of state.markets) lines.push(lineOf(JSON.stringify(restingIn(book))));
  return Buffer.concat(lines);
}

const lineOf = (text: string): Buffer => Buffer.from(`${text}\n`);

function headOf(state: VenueState): unknown {
  return {
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
      volumes: [...client.volumes],
      updatedAt: client.updatedAt,
    })),
    venue: [...state.ledger.venue].map(([owner, balances]) => [owner, [...balances]]),
    markets: state.markets.map(marketRecord),
    addresses: state.addresses,
    deposits: state.deposits,
    orders: state.orders.size,
  };
}

/** SHA-256 of the snapshot, lower-case hex. */
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

/**
 * Throws when the text is not a snapshot of this version or not complete. What it says is believed: whoever stores it
 * vouches for it with a checksum.
 */
export function restoreSnapshot(world: World, bytes: Uint8Array): VenueState {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  requireVersion(buffer);
  const lines = linesOf(buffer);
  const next = (): string => {
    const line = lines.next();
    if (line.done === true) throw new RangeError("it ends too early");
    return line.value;
  };
  next();
  // as: `captureSnapshot` wrote each of these lines.
  const head = fromText(next()) as Head;
  const state = new VenueState(world);
  restoreHead(state, head);
  const reader = new OrderReader();
  while (state.orders.size < head.orders)
    for (const row of JSON.parse(next()) as OrderRow[]) restoreOrder(state, reader.order(row));
  for (const [index, saved] of head.markets.entries()) {
    const market = state.market(index);
    restoreMarket(market, saved);
    restoreBook(state, market, JSON.parse(next()) as Resting[][]);
  }
  if (lines.next().done !== true) throw new RangeError("something follows its end");
  return state;
}

function* linesOf(buffer: Buffer): Generator<string, void> {
  for (let from = 0; from < buffer.length; ) {
    const end = buffer.indexOf("\n", from);
    if (end < 0) throw new RangeError("its last line is cut off");
    yield buffer.toString("utf8", from, end);
    from = end + 1;
  }
}

const LONGEST_FIRST_LINE = 40;

function requireVersion(buffer: Buffer): void {
  const version = /^\{"snapshot":(\d+)\}\n/.exec(buffer.toString("latin1", 0, LONGEST_FIRST_LINE))?.[1];
  if (version === undefined) throw new RangeError("it does not begin as a snapshot does");
  if (Number(version) !== SNAPSHOT_VERSION)
    throw new RangeError(`it has layout ${version}, and this program reads layout ${SNAPSHOT_VERSION}`);
}

function restoreHead(state: VenueState, head: Head): void {
  state.seq = head.seq;
  state.now = head.now;
  state.trades = head.trades;
  state.settings = head.settings;
  state.faults = head.faults;
  state.keyStates.clear();
  for (const [keyId, keyState] of head.keyStates) state.keyStates.set(keyId, keyState);
  restoreClients(state, head);
  state.addresses.push(...head.addresses);
  state.deposits.push(...head.deposits);
}

interface Head
  extends Pick<VenueState, "seq" | "now" | "trades" | "settings" | "faults" | "addresses" | "deposits"> {
  readonly orders: number;
  readonly keyStates: [string, "enabled" | "disabled"][];
  readonly clients: (Pick<
    VenueState["clients"][number],
    "feeModel" | "rates" | "tradingEnabled" | "updatedAt"
  > & {
    readonly rules: [number, never][];
    readonly wallets: [number, never][];
    readonly volumes: [number, never][];
  })[];
  readonly venue: [number, [number, never][]][];
  readonly markets: (Omit<Market, "product" | "book" | "stops" | "tape" | "refreshedAt"> &
    Pick<Market["tape"], "last" | "traded" | "recent" | "minutes"> & {
      readonly refreshedAt: number | null;
    })[];
}

function restoreClients(state: VenueState, read: Head): void {
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
    client.volumes.clear();
    for (const [asset, volume] of saved.volumes) client.volumes.set(asset, volume);
  }
  for (const [owner, balances] of read.venue) {
    const account = state.ledger.venue.get(owner);
    account?.clear();
    for (const [asset, balance] of balances) account?.set(asset, balance);
  }
}

function restoreOrder(state: VenueState, order: Order): void {
  state.enter(order);
  const { number, product, side, stopPrice } = order.terms;
  if (order.phase === "waiting-for-stop" && stopPrice !== null)
    state.market(product).stops.add(side, stopPrice, number);
}

/** Number of a client's order, or price and lots of the synthetic market. */
type Resting = number | readonly [price: number, quantity: number];

/** Bids and asks in price-time priority. Of an order, its record says the rest. */
const restingIn = (book: OrderBook): Resting[][] =>
  SIDES.map((side) =>
    Array.from(book.slots(side), (slot) =>
      book.order(slot) === SYNTHETIC ? [book.price(slot), book.remaining(slot)] : book.order(slot),
    ),
  );

function restoreBook(state: VenueState, { book }: Market, sides: readonly Resting[][]): void {
  for (const [at, side] of SIDES.entries()) {
    for (const one of sides[at] ?? []) {
      if (typeof one === "number") rest(book, state.order(one));
      else book.add(side, ticks(one[0]), lots(one[1]), MARKET_OWNER, SYNTHETIC);
    }
  }
}

function rest(book: OrderBook, order: Order): void {
  const { number, side, price, client } = order.terms;
  if (price === null) throw new RangeError(`order ${number} has no price and is in the book`);
  order.slot = book.add(side, price, remainingLots(order) ?? lots(0), client, number);
}

function restoreMarket(market: Market, saved: Head["markets"][number]): void {
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

/** A walk of our own: with a reviver, JSON.parse takes several times as long over long lists of candles. */
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
