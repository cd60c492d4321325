/** Messages as a gateway sends them, short. */
import { type Message, readMessage } from "../message.ts";

let sequence = 0;

/** Numbers the messages; a given `sequence` is kept. */
export function message(fields: object): Message {
  sequence = "sequence" in fields ? Number(fields.sequence) : sequence + 1;
  const read = readMessage(JSON.stringify({ sequence, ...fields }));
  if (read === undefined) throw new Error("the message has no type");
  return read;
}

/** The next message is the first of a connection. */
export function newConnection(): void {
  sequence = 0;
}

export const level = (price: string, quantity = "1"): object => ({ price, quantity });

export const bookSnapshot = (bookSequence: number, bids: object[], asks: object[]): Message =>
  message({ type: "snapshot", channel: "orderBook", data: { bookSequence, bids, asks } });

export const bookUpdate = (
  prevBookSequence: number,
  bookSequence: number,
  bids: object[],
  asks: object[] = [],
): Message =>
  message({ type: "update", channel: "orderBook", data: { prevBookSequence, bookSequence, bids, asks } });

export const order = (id: string, status: string, more: object = {}): object => ({
  id,
  clientOrderId: `${id}0000000-7a3e-4c58-9a6e-0d5d3c1b7e11`,
  productId: "BTC-USD",
  side: "BUY",
  type: "LIMIT",
  baseQuantity: "0.5",
  quoteValue: "29995",
  limitPrice: "59990",
  averageFilledPrice: null,
  filledQuantity: "0",
  status,
  updatedAt: "2026-01-01T00:00:00.000Z",
  ...more,
});

export const orderEvent = (revision: number, record: object, more: object = {}): Message =>
  message({ type: "update", channel: "orders", data: { event: "FILL", revision, order: record, ...more } });

export const orderSnapshot = (orders: object[], final = true): Message =>
  message({ type: "snapshot", channel: "orders", data: { orders, final } });

export const trades = (type: "snapshot" | "update", ...list: object[]): Message =>
  message({ type, channel: "trades", data: { trades: list } });

export const trade = (price: string, quantity: string, second: number): object => ({
  tradeId: String(second),
  price,
  quantity,
  takerSide: second % 2 === 0 ? "BUY" : "SELL",
  time: `2026-01-01T12:00:0${second}.000Z`,
});
