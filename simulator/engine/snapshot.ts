// tidy-allow-file no-non-null: a row is a place in columns that are equally long
/**
 * The state as bytes and back. What is small stands in a head of JSON; what is long (orders, books) in columns of
 * bytes, so that 10^5 open orders come back without a parser. The state hash is taken over the same bytes: two venues
 * agree exactly when their snapshots do.
 *
 * Indexes (client order ids, agenda, book slots) are not written; they are rebuilt from the columns. The orders
 * themselves stay there until somebody asks for one (`order-table.ts`).
 *
 * **Layout.** `GWSN`, the version, the head, per product the bids and the asks, the orders (`order-columns.ts`).
 */
import { createHash } from "node:crypto";
import { units } from "../domain/amount.ts";
import type { OrderNumber } from "../domain/order.ts";
import type { World } from "../domain/world.ts";
import { readBook, writeBook } from "./book-columns.ts";
import {
  hasDue,
  hasSync,
  OPEN_STATUS,
  type OrderColumns,
  phaseCode,
  readColumns,
  sideAt,
  stopPriceAt,
  writeOrders,
} from "./order-columns.ts";
import { ByteReader, ByteWriter } from "./snapshot-bytes.ts";
import { type Market, VenueState } from "./state.ts";

/** "GWSN", read as a little-endian number. */
const MAGIC = 0x4e53_5747;
/** Grows when the layout changes; a snapshot of another version is passed over and the journal replayed. */
const SNAPSHOT_VERSION = 4;

export function captureSnapshot(state: VenueState): Uint8Array {
  const out = new ByteWriter();
  out.count(MAGIC);
  out.count(SNAPSHOT_VERSION);
  out.text(toText(headOf(state)));
  writeOrders(out, [...state.orders.looks()]);
  const rows = new Map<OrderNumber, number>();
  for (const number of state.orders.keys()) rows.set(number, rows.size);
  for (const { book } of state.markets) writeBook(out, book, rows);
  return out.finish();
}

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
 * Throws when the bytes are not a snapshot of this version or not complete. What they say is believed: whoever stores
 * them vouches for them with a checksum.
 */
export function restoreSnapshot(world: World, bytes: Uint8Array): VenueState {
  const from = new ByteReader(bytes);
  requireVersion(from);
  const head = fromText(from.text()) as Head;
  const state = new VenueState(world);
  state.ledger.drain();
  restoreHead(state, head);
  const columns = readColumns(from);
  const orders = { columns, slots: new Int32Array(columns.count).fill(-1) };
  state.orders.sleep(orders);
  indexOrders(state, columns);
  for (const [index, market] of head.markets.entries()) restoreMarket(state.market(index), market);
  for (const { book } of state.markets) readBook(from, book, orders);
  from.end();
  return state;
}

function requireVersion(from: ByteReader): void {
  if (from.count() !== MAGIC) throw new RangeError("it does not begin as a snapshot does");
  const version = from.count();
  if (version !== SNAPSHOT_VERSION)
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

function indexOrders(state: VenueState, c: OrderColumns): void {
  state.clientOrders.load(c.idWords, new Int32Array(c.client), new Float64Array(c.number));
  for (let row = 0; row < c.count; row++) {
    if (row > 0 && c.number[row]! <= c.number[row - 1]!)
      throw new RangeError(`order ${c.number[row]} follows order ${c.number[row - 1]}`);
    indexOrder(state, c, row);
  }
}

function indexOrder(state: VenueState, c: OrderColumns, row: number): void {
  const number = c.number[row]!;
  const owner = state.client(c.client[row]!);
  owner.orders.push(number);
  if (OPEN_STATUS[c.status[row]!] === 1) owner.openOrders.add(number);
  if (c.phase[row] === WAITING) {
    const stop = stopPriceAt(c, row);
    if (stop !== null) state.market(c.product[row]!).stops.add(sideAt(c, row), stop, number);
  }
  if (hasDue(c, row)) state.agenda.addAction(number, c.dueAt[row]!);
  if (hasSync(c, row)) state.agenda.addSync(number, c.syncAt[row]!);
}

const WAITING = phaseCode("waiting-for-stop");

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
