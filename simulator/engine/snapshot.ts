/**
 * The state as text and back: lines of JSON. The state hash is taken over the same bytes: two venues agree exactly when
 * their snapshots do. Indexes (client order ids, agenda, stops, book slots) are not written, but made again.
 *
 * **Layout.** A line with the version; one with what is small; the orders in order of acceptance, some to a line, since a
 * string has its limit; one per product with what rests in its book.
 */
import { createHash } from "node:crypto";
import { lots, ticks, units } from "../domain/amount.ts";
import type { Order, OrderNumber, Side } from "../domain/order.ts";
import type { World } from "../domain/world.ts";
import { marketOwner, type OrderBook, syntheticOrder } from "./book/order-book.ts";
import { OrderReader, type OrderRow, rowOf } from "./order-rows.ts";
import { type Market, remainingLots, VenueState } from "./state.ts";

/** Grows when the layout changes; a snapshot of another version is passed over and the journal replayed. */
const snapshotVersion = 8;
const ordersALine = 100;
const allSides: readonly Side[] = ["BUY", "SELL"];

export function captureSnapshot(state: VenueState): Uint8Array {
  const lines = [`{"snapshot":${snapshotVersion}}`, toText(headOf(state))].map(lineOf);
  const orders = [...state.orders.values()];
  for (let from = 0; from < orders.length; from += ordersALine)
    lines.push(lineOf(JSON.stringify(orders.slice(from, from + ordersALine).map(rowOf))));
  for (const { book } of state.markets) lines.push(lineOf(JSON.stringify(restingIn(book))));
  return Buffer.concat(lines);
}

const lineOf = (text: string): Buffer => Buffer.from(`${text}\n`);

/** The small parts of the state. */
const headOf = (state: VenueState) => ({
  seq: state.seq,
  now: state.now,
  trades: state.trades,
  settings: state.settings,
  faults: state.faults,
  keyStates: [...state.keyStates],
  createdKeys: state.createdKeys,
  keySalts: [...state.keySalts],
  clients: state.clients.map((client) => ({
    feeModel: client.feeModel,
    rates: client.rates,
    tradingEnabled: client.tradingEnabled,
    rules: [...client.rules],
    wallets: [...client.wallets],
    volumes: [...client.volumes],
    updatedAt: client.updatedAt,
  })),
  venue: [...state.ledger.venue].map(([owner, balances]) => [owner, [...balances]] as const),
  markets: state.markets.map(marketRecord),
  addresses: state.addresses,
  deposits: state.deposits,
  triggered: state.triggered,
  orders: state.orders.size,
});

/** SHA-256 of the snapshot, lower-case hex. */
export function stateHash(state: VenueState): string {
  return createHash("sha256").update(captureSnapshot(state)).digest("hex");
}

const marketRecord = ({ product: _p, book: _b, stops: _s, tape, refreshedAt, ...rest }: Market) => {
  const { last, traded, recent, minutes } = tape;
  return {
    ...rest,
    refreshedAt: Number.isFinite(refreshedAt) ? refreshedAt : null,
    last,
    traded,
    recent,
    minutes,
  };
};

type Head = ReturnType<typeof headOf>;

/**
 * Throws when the text is not a snapshot of this version or not complete. Its content is trusted: the
 * store protects it with a checksum.
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
  const triggered = new Set(head.triggered);
  while (state.orders.size < head.orders)
    for (const row of JSON.parse(next()) as OrderRow[]) restoreOrder(state, reader.order(row), triggered);
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

const longestFirstLine = 40;

function requireVersion(buffer: Buffer): void {
  const version = /^\{"snapshot":(\d+)\}\n/.exec(buffer.toString("latin1", 0, longestFirstLine))?.[1];
  if (version === undefined) throw new RangeError("it does not begin as a snapshot does");
  if (Number(version) !== snapshotVersion)
    throw new RangeError(`it has layout ${version}, and this program reads layout ${snapshotVersion}`);
}

function restoreHead(state: VenueState, head: Head): void {
  const { seq, now, trades, settings, faults } = head;
  Object.assign(state, { seq, now, trades, settings, faults });
  refill(state.keyStates, head.keyStates);
  state.keySalts = new Map(head.keySalts);
  state.createdKeys.push(...head.createdKeys);
  for (const [index, { rules, wallets, volumes, ...rest }] of head.clients.entries()) {
    const client = state.client(index);
    Object.assign(client, rest);
    refill(client.rules, rules);
    refill(client.wallets, wallets);
    refill(client.volumes, volumes);
  }
  for (const [owner, balances] of head.venue) refill(state.ledger.venue.get(owner) ?? new Map(), balances);
  state.addresses.push(...head.addresses);
  state.deposits.push(...head.deposits);
  state.triggered.push(...head.triggered);
}

function refill<K, V>(map: Map<K, V>, entries: readonly (readonly [K, V])[]): void {
  map.clear();
  for (const [key, value] of entries) map.set(key, value);
}

function restoreOrder(state: VenueState, order: Order, triggered: ReadonlySet<OrderNumber>): void {
  state.enter(order);
  const { number, product, side, stopPrice } = order.terms;
  if (order.phase === "waiting-for-stop" && stopPrice !== null && !triggered.has(number))
    state.market(product).stops.add(side, stopPrice, number);
}

/** Number of a client's order, or price and lots of the synthetic market. */
type Resting = number | readonly [price: number, quantity: number];

/** Bids and asks in price-time priority. Of an order, its record says the rest. */
const restingIn = (book: OrderBook): Resting[][] =>
  allSides.map((side) =>
    Array.from(book.slots(side), (slot) =>
      book.order(slot) === syntheticOrder ? [book.price(slot), book.remaining(slot)] : book.order(slot),
    ),
  );

function restoreBook(state: VenueState, { book }: Market, sides: readonly Resting[][]): void {
  for (const [at, side] of allSides.entries()) {
    for (const one of sides[at] ?? []) {
      if (typeof one === "number") rest(book, state.order(one));
      else book.add(side, ticks(one[0]), lots(one[1]), marketOwner, syntheticOrder);
    }
  }
}

function rest(book: OrderBook, order: Order): void {
  const { number, side, price, client } = order.terms;
  if (price === null) throw new RangeError(`order ${number} has no price and is in the book`);
  order.slot = book.add(side, price, remainingLots(order) ?? lots(0), client, number);
}

function restoreMarket(
  market: Market,
  { last, traded, recent, minutes, refreshedAt, ...rest }: Head["markets"][number],
): void {
  Object.assign(market, rest, { refreshedAt: refreshedAt ?? Number.NEGATIVE_INFINITY });
  Object.assign(market.tape, { last, traded });
  market.tape.recent.push(...recent);
  for (const minute of minutes) market.tape.minutes.push(minute);
}

/** JSON with `bigint` as `"123n"`. A string that looks so (a key may be called anything) gets a tilde in front. */
function toText(value: unknown): string {
  return JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item === "bigint") return `${item}n`;
    return typeof item === "string" && looksLikeBigint.test(item) ? `~${item}` : item;
  });
}

const looksLikeBigint = /^~*-?\d+n$/;

const bigintIn = (text: string): unknown =>
  text.startsWith("~") ? text.slice(1) : units(BigInt(text.slice(0, -1)));

/** A walk of our own: with a reviver, JSON.parse takes several times as long over long lists of candles. */
function fromText(text: string): unknown {
  return revived(JSON.parse(text));
}

function revived(value: unknown): unknown {
  if (typeof value === "string") return looksLikeBigint.test(value) ? bigintIn(value) : value;
  if (typeof value !== "object" || value === null) return value;
  // as: the result of JSON.parse is not shared yet, so it is changed in place.
  const parts = value as Record<string, unknown>;
  if (Array.isArray(value)) for (let at = 0; at < value.length; at++) value[at] = revived(value[at]);
  else for (const key of Object.keys(parts)) parts[key] = revived(parts[key]);
  return value;
}
