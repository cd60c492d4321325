/** The readable rows of an entry as their tables hold them, for the code that writes them and the code that checks them. */
import type { LedgerLine } from "../domain/account.ts";
import type { Event } from "../domain/event.ts";
import type { OrderStatus } from "../domain/order.ts";
import { toStored } from "./columns.ts";
import { orderStatuses } from "./stored-venue.ts";

export type Table = "fill" | "status_change" | "posting";
export type Values = readonly (string | number | bigint | null)[];

export function rowsOf(
  seq: number,
  events: readonly Event[],
  lines: readonly LedgerLine[],
): (readonly [Table, Values])[] {
  const rows: (readonly [Table, Values])[] = [];
  const status = (order: number, now: OrderStatus, reason: string | null): unknown =>
    rows.push(["status_change", [seq, order, orderStatuses.indexOf(now), reason]]);
  for (const event of events) {
    if (event.kind === "Traded") rows.push(["fill", fillValues(seq, event)]);
    else if (event.kind === "OrderClosed") status(event.order, event.status, event.reason);
    else if (event.kind === "OrderConfirmed") status(event.order, "OPEN", null);
    else if (event.kind === "OrderAccepted" && event.status !== "OPEN")
      status(event.terms.number, event.status, event.reason);
  }
  for (const { owner, asset, amount, balance } of lines)
    rows.push(["posting", [seq, owner, asset, toStored(amount), toStored(balance)]]);
  return rows;
}

const fillValues = (seq: number, fill: Event<"Traded">): Values => [
  fill.trade,
  seq,
  fill.product,
  fill.price,
  fill.quantity,
  fill.takerSide === "BUY" ? 1 : 0,
  fill.taker,
  fill.maker,
  toStored(fill.takerCharge.commission),
  toStored(fill.takerCharge.exchangeFee),
  toStored(fill.makerCharge.commission),
  toStored(fill.makerCharge.exchangeFee),
];
