/** The readable rows as they stand in their tables: one spelling for whoever writes them and whoever checks them. */
import { InvariantViolation } from "../domain/invariant.ts";
import type { FillRow, PostingRow, StatusRow } from "../sequencer/ports.ts";
import { toStored } from "./columns.ts";
import { ORDER_STATUSES } from "./venue.ts";

const STATUS_CODES: ReadonlyMap<string, number> = new Map(
  ORDER_STATUSES.map((status, code) => [status, code]),
);

export const fillValues = (row: FillRow) =>
  [
    row.trade,
    row.seq,
    row.product,
    row.price,
    row.quantity,
    row.takerSide === "BUY" ? 1 : 0,
    row.taker,
    row.maker,
    toStored(row.takerCommission),
    toStored(row.takerExchangeFee),
    toStored(row.makerCommission),
    toStored(row.makerExchangeFee),
  ] as const;

export function statusValues({ seq, order, status, reason }: StatusRow) {
  const code = STATUS_CODES.get(status);
  if (code === undefined) throw new InvariantViolation(`${status} is no status of an order`);
  return [seq, order, code, reason] as const;
}

export const postingValues = ({ seq, owner, asset, amount, balance }: PostingRow) =>
  [seq, owner, asset, toStored(amount), toStored(balance)] as const;
