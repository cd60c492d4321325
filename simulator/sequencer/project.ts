/** Rows of the readable tables that follow from a committed entry's events. */
import type { Event } from "../domain/event.ts";
import type { LedgerLine } from "../engine/ledger.ts";
import type { Journal } from "./ports.ts";

type Rows = Pick<Journal, "appendFill" | "appendStatus" | "appendPosting">;

export function appendRows(
  journal: Rows,
  seq: number,
  events: readonly Event[],
  lines: readonly LedgerLine[],
): void {
  for (const event of events) appendRow(journal, seq, event);
  for (const { owner, asset, amount, balance } of lines)
    journal.appendPosting({ seq, owner, asset, amount, balance });
}

function appendRow(journal: Rows, seq: number, event: Event): void {
  switch (event.kind) {
    case "Traded":
      journal.appendFill({
        trade: event.trade,
        seq,
        product: event.product,
        price: event.price,
        quantity: event.quantity,
        takerSide: event.takerSide,
        taker: event.taker,
        maker: event.maker,
        takerCommission: event.takerCharge.commission,
        takerExchangeFee: event.takerCharge.exchangeFee,
        makerCommission: event.makerCharge.commission,
        makerExchangeFee: event.makerCharge.exchangeFee,
      });
      break;
    case "OrderAccepted":
      if (event.status !== "OPEN") {
        journal.appendStatus({ seq, order: event.terms.number, status: event.status, reason: event.reason });
      }
      break;
    case "OrderConfirmed":
      journal.appendStatus({ seq, order: event.order, status: "OPEN", reason: null });
      break;
    case "OrderClosed":
      journal.appendStatus({ seq, order: event.order, status: event.status, reason: event.reason });
      break;
    default:
      break;
  }
}
