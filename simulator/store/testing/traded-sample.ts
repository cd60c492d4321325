/** Entries with readable rows of every kind, for the views of both stores. */
import type { LedgerLine } from "../../domain/account.ts";
import { lots, ticks, units } from "../../domain/amount.ts";
import type { Charge } from "../../domain/event.ts";
import type { JournalEntry, JournalWriter } from "../../sequencer/ports.ts";
import { sampleEntry } from "./sample.ts";

export const coid = "3f2504e0-4f89-41d3-9a0c-00000000000";

const place = (seq: number, order: readonly unknown[]): JournalEntry => ({
  ...sampleEntry(seq),
  command: JSON.stringify(order),
});

const charge = (commission: bigint, exchangeFee: bigint): Charge => ({
  commission: units(commission),
  exchangeFee: units(exchangeFee),
});

const line = (owner: number, asset: number, amount: bigint, balance: bigint): LedgerLine => ({
  owner,
  asset,
  amount: units(amount),
  balance: units(balance),
});

/** alice buys, bob sells into it and into the market; a third order is cancelled. */
export function appendTraded(journal: JournalWriter): void | Promise<void> {
  journal.begin();
  journal.append(sampleEntry(1), [], []);
  const sold = { kind: "Traded", product: 0, takerSide: "SELL", taker: 2 } as const;
  const second = place(2, [1, `${coid}2`, "BTC-USD", "SELL", "MARKET", "0.75"]);
  journal.append(
    second,
    [
      // 1,199,801 ticks of 0.05 are 59,990.05; 500,000 lots of 0.000001 are 0.5.
      {
        ...sold,
        trade: 1,
        price: ticks(1_199_801),
        quantity: lots(500_000),
        maker: 1,
        takerCharge: charge(2n * 10n ** 19n, 1n),
        makerCharge: charge(12_345n, 0n),
      },
      {
        ...sold,
        trade: 2,
        price: ticks(1),
        quantity: lots(250_000),
        maker: 0,
        takerCharge: charge(0n, 0n),
        makerCharge: charge(0n, 0n),
      },
      { kind: "OrderClosed", order: 1, status: "FILLED", reason: null },
      { kind: "OrderClosed", order: 2, status: "FILLED", reason: null },
    ],
    [line(0, 0, 50_000_000n, 200_000_000n), line(1, 0, -50_000_000n, -50_000_000n)],
  );
  journal.append(
    place(3, [0, `${coid}3`, "BTC-USD", "BUY", "STOP_LIMIT", "1", "61000", "60500.1", null, null]),
    [{ kind: "OrderClosed", order: 3, status: "FAILED", reason: "for a moment" }],
    [line(0, 0, -1n, 199_999_999n), line(-1, 1, 1n, 10n ** 21n + 5n)],
  );
  const cancel = { ...sampleEntry(4), kind: "CancelOrder", command: '{"client":0,"order":3}' } as const;
  const cancelled = {
    kind: "OrderClosed",
    order: 3,
    status: "CANCELLED",
    reason: "Cancelled by the client.",
  } as const;
  journal.append(cancel, [cancelled], []);
  return journal.commit();
}
