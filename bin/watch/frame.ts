/**
 * The window: a pure function from the market and the size of the terminal to lines of text. Every frame of a
 * size has the same number of lines, none longer than the window is wide. Text of the target is plain ASCII here,
 * because anything else may be wider than it looks, or move the cursor.
 */
import { styleText } from "node:util";
import type { Market, WatchedOrder } from "./market.ts";
import { isOpen } from "./market.ts";
import type { Level } from "./message.ts";

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

export interface Look {
  readonly colours: boolean;
  /** Whether the terminal shows more than ASCII. */
  readonly unicode: boolean;
}

/** Data of the window beside the market. */
export interface FrameContext {
  readonly product: string;
  readonly target: string;
  readonly keyId: string;
  readonly live: boolean;
  /** Empty, or a sentence about the connection or about orders that cannot be shown. */
  readonly notice: string;
  readonly reconnects: number;
}

type Style = "red" | "green" | "yellow" | "cyan" | "dim" | "bold" | "inverse";
type Span = readonly [text: string, ...styles: Style[]];
type Line = readonly Span[];

const wideFrom = 66;

export function frame(market: Market, context: FrameContext, size: Size, look: Look): string[] {
  const columns = Math.max(size.columns, 1);
  // The last line of the window stays empty: writing into its end would scroll it.
  const count = Math.max(size.rows - 1, 1);
  const lines = count < 12 ? small(market, context) : full(market, context, columns, count, look);
  return Array.from({ length: count }, (_, i) => paint(lines[i] ?? [], columns, look));
}

function full(market: Market, context: FrameContext, columns: number, count: number, look: Look): Line[] {
  const ordersHeight = Math.min(Math.max(Math.floor(count / 4), 2), 10);
  const height = count - ordersHeight - 5;
  const book = bookLines(market, height, columns < wideFrom ? columns : Math.floor(columns * 0.56), look);
  const trades = tradeLines(market, height + 1);
  const wide = columns >= wideFrom;
  const pane = book.map((line, i) => (wide ? [...line, ...(trades[i] ?? [])] : line));
  return [
    title(market, context, look),
    [[` ${plain(context.target)} as ${plain(context.keyId)}`, "dim"]],
    [],
    ...pane,
    ...orderLines(market, context, ordersHeight),
    footer(market, context),
  ];
}

/** For a window in which a book would not be one. */
function small(market: Market, context: FrameContext): Line[] {
  const { asks, bids } = market;
  const best = (side: string, level: Level | undefined, style: Style): Line => [
    [` ${side} ${level === undefined ? "none" : `${plain(level.price)} x ${plain(level.quantity)}`}`, style],
  ];
  return [
    title(market, context, { colours: true, unicode: false }),
    best("ask", asks[0], "red"),
    best("bid", bids[0], "green"),
    ...market.orders.slice(0, 5).map((order) => orderLine(order)),
  ];
}

function title(market: Market, { product, live }: FrameContext, { unicode }: Look): Line {
  const dot = unicode ? "●" : "*";
  const last = market.lastPrice === "" ? "no trade yet" : `last ${plain(market.lastPrice)}`;
  const [base = ""] = product.split("-");
  const volume = market.volume === "" ? "" : `   24h ${plain(market.volume)} ${plain(base)}`;
  return [
    [` ${dot} ${live ? "live" : "not connected"} `, live ? "green" : "yellow", "bold"],
    [`  ${plain(product)}   `, "bold"],
    [last, "bold"],
    [volume, "dim"],
  ];
}

/** A heading, asks with the best below, the spread, bids with the best above. */
function bookLines(market: Market, height: number, width: number, look: Look): Line[] {
  const half = Math.floor((height - 1) / 2);
  const asks = market.asks.slice(0, half).toReversed();
  const bids = market.bids.slice(0, height - 1 - half);
  const shown = [...asks, ...bids];
  const decimals = (of: (level: Level) => string): number =>
    Math.max(0, ...shown.map((level) => (of(level).split(".")[1] ?? "").length));
  const places = { price: decimals(({ price }) => price), quantity: decimals(({ quantity }) => quantity) };
  const priceWidth = Math.max(10, ...shown.map(({ price }) => aligned(price, places.price).length + 1));
  const sizeWidth = Math.max(
    10,
    ...shown.map(({ quantity }) => aligned(quantity, places.quantity).length + 1),
  );
  const largest = Math.max(...shown.map(({ quantity }) => Number(quantity)), Number.MIN_VALUE);
  const barWidth = Math.max(width - priceWidth - sizeWidth - 3, 0);
  const row = (level: Level, style: Style): Line => [
    [aligned(level.price, places.price).padStart(priceWidth), style],
    [aligned(level.quantity, places.quantity).padStart(sizeWidth)],
    [`  ${bar((Number(level.quantity) / largest) * barWidth, look).padEnd(barWidth)} `, style, "dim"],
  ];
  const blank = [[" ".repeat(priceWidth + sizeWidth + barWidth + 3)]] as const satisfies Line;
  const absent = (rows: number): Line[] => Array.from({ length: Math.max(rows, 0) }, () => blank);
  const heading = `${"PRICE".padStart(priceWidth)}${"QUANTITY".padStart(sizeWidth)}`;
  const spread = `${spreadOf(market)}`.padStart(priceWidth + sizeWidth);
  const across = priceWidth + sizeWidth + barWidth + 3;
  return [
    [[heading.padEnd(across), "dim"]],
    ...absent(half - asks.length),
    ...asks.map((level) => row(level, "red")),
    [[spread.padEnd(across), "dim"]],
    ...bids.map((level) => row(level, "green")),
    ...absent(height - 1 - half - bids.length),
  ];
}

function spreadOf({ asks: [ask], bids: [bid], bookSequence }: Market): string {
  if (bookSequence === undefined) return "waiting for the book";
  if (ask === undefined || bid === undefined) return "one side is empty";
  const places = Math.max(...[ask.price, bid.price].map((price) => (price.split(".")[1] ?? "").length));
  return `spread ${(Number(ask.price) - Number(bid.price)).toFixed(places)}`;
}

function tradeLines(market: Market, height: number): Line[] {
  const trades = market.trades.slice(0, height - 1).map(({ time, side, price, quantity }): Line => {
    const style = side === "BUY" ? "green" : "red";
    const where = plain(price).padStart(10);
    return [[` ${clock(time)} `, "dim"], [where, style], [` ${plain(quantity).padStart(12)}`]];
  });
  return [[[` ${"TRADES".padEnd(9)} ${"PRICE".padStart(10)} ${"QUANTITY".padStart(12)}`, "dim"]], ...trades];
}

function orderLines(market: Market, { product }: FrameContext, height: number): Line[] {
  const { orders } = market;
  const open = orders.filter(isOpen).length;
  const heading: Line = [[` MY ORDERS in ${plain(product)}: ${open} open`, "dim"]];
  const rows = orders.slice(0, height - 1).map(orderLine);
  const none: Line[] = [[["  none yet: place one, and it appears here", "dim"]]];
  const lines = [heading, ...(rows.length === 0 ? none : rows)];
  return [...lines, ...Array.from({ length: height - lines.length }, (): Line => [])];
}

function orderLine(order: WatchedOrder): Line {
  const { clientOrderId, side, type, size, price, filled, status } = order;
  const style = status === "FILLED" ? "green" : isOpen(order) ? "yellow" : "dim";
  return [
    [` ${plain(status).padEnd(9)} `, style],
    [`${plain(side).padEnd(4)} ${plain(type).padEnd(10)} `],
    [`${plain(size).padStart(11)} at ${plain(price).padEnd(9)} `],
    [`filled ${plain(filled === "" ? "0" : filled).padEnd(10)} `],
    [plain(clientOrderId).slice(0, 8), "dim"],
  ];
}

function footer(market: Market, { notice, reconnects }: FrameContext): Line {
  if (notice !== "") return [[` ${plain(notice)}`, "yellow"]];
  const book = market.bookSequence === undefined ? "none" : `number ${market.bookSequence}`;
  const counted = `messages ${market.messages}, gaps ${market.gaps}, reconnects ${reconnects}`;
  return [[` q quits   book ${book}   ${counted}`, "dim"]];
}

/** Eighths of a block, where the terminal has them. */
function bar(length: number, { unicode }: Look): string {
  const whole = Math.floor(length);
  if (!unicode) return "=".repeat(whole);
  return (
    "█".repeat(whole) + (["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][Math.floor((length - whole) * 8)] ?? "")
  );
}

/** The same number of decimals in each row of a column. */
function aligned(decimal: string, places: number): string {
  const [whole = "", fraction = ""] = plain(decimal).split(".");
  return places === 0 ? whole : `${whole}.${fraction.padEnd(places, "0")}`;
}

/** Of the gateway, in UTC. */
const clock = (time: string): string => `${plain(time).slice(11, 19).padEnd(8)}Z`;

export const plain = (text: string): string => text.replace(/[^\x20-\x7e]/gu, "?");

function paint(line: Line, columns: number, { colours }: Look): string {
  let room = columns;
  let painted = "";
  for (const [text, ...styles] of line) {
    const cut = text.slice(0, room);
    room -= cut.length;
    if (cut !== "") painted += colours && styles.length > 0 ? styled(cut, styles) : cut;
  }
  return painted;
}

const styled = (text: string, styles: readonly Style[]): string =>
  styles.reduce((inner, style) => styleText(style, inner, { validateStream: false }), text);
