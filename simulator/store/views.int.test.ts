import { copyFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { Identity } from "../domain/identity.ts";
import { SqliteDatabase } from "./driver.ts";
import { appendSamples, openSample, sampleEntry, start } from "./testing/sample.ts";
import { useScratch } from "./testing/scratch.ts";
import { smallWorld } from "./testing/small-world.ts";
import { appendTraded, coid } from "./testing/traded-sample.ts";

const scratch = useScratch();
function tradedVenue(): string {
  const file = path.join(scratch(), "v.db");
  const journal = openSample(file);
  void appendTraded(journal);
  journal.close();
  return file;
}

/** Reads as any tool does: a plain connection on a copy. */
function read(file: string, sql: string): readonly unknown[] {
  const copy = path.join(scratch(), "copy.db");
  copyFileSync(file, copy);
  const db = new SqliteDatabase(copy, { readonly: true });
  const rows = db.prepare(sql).all();
  db.close();
  return rows;
}

describe("a person reads", () => {
  test("orders with their last status and filled quantity", () => {
    expect(read(tradedVenue(), "SELECT * FROM orders")).toEqual([
      {
        id: 1,
        client: "alice",
        product: "BTC-USD",
        side: "BUY",
        type: "LIMIT",
        quantity: "0.5",
        price: "59990.05",
        stop_price: null,
        quote_value: null,
        client_order_id: `${coid}1`,
        status: "FILLED",
        reason: null,
        filled_quantity: "0.5",
        created_at: "2025-06-15T15:06:41.007Z",
        order_id: new Identity(1, "order").idOf(1),
      },
      expect.objectContaining({
        id: 2,
        client: "bob",
        side: "SELL",
        type: "MARKET",
        price: null,
        filled_quantity: "0.75",
      }),
      expect.objectContaining({
        id: 3,
        stop_price: "60500.1",
        status: "CANCELLED",
        reason: "Cancelled by the client.",
        filled_quantity: "0",
      }),
    ]);
  });

  test.each([0, 1, 20_260_101, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff])(
    "the ids that the interface shows, with seed %i",
    (seed) => {
      const file = path.join(scratch(), "v.db");
      const journal = openSample(file, { world: { ...smallWorld, seed } });
      appendSamples(journal, 300);
      journal.close();
      const identity = new Identity(seed, "order");
      const expected = Array.from({ length: 300 }, (_, index) => ({
        id: index + 1,
        order_id: identity.idOf(index + 1),
      }));
      expect(read(file, "SELECT id, order_id FROM orders ORDER BY id")).toEqual(expected);
      const [, second] = expected;
      expect(read(file, `SELECT id FROM orders WHERE order_id = '${second?.order_id}'`)).toEqual([{ id: 2 }]);
    },
  );

  test("an order without a change of status as OPEN", () => {
    const file = path.join(scratch(), "v.db");
    const journal = openSample(file);
    appendSamples(journal, 1);
    journal.close();
    expect(read(file, "SELECT status, filled_quantity FROM orders")).toEqual([
      { status: "OPEN", filled_quantity: "0" },
    ]);
  });

  test("fills with both sides and their charges, exact beyond 64 bits", () => {
    expect(read(tradedVenue(), "SELECT * FROM fills")).toEqual([
      {
        trade: 1,
        seq: 2,
        time: "2025-06-15T15:06:42.007Z",
        product: "BTC-USD",
        price: "59990.05",
        quantity: "0.5",
        taker_side: "SELL",
        taker_order: 2,
        taker_client: "bob",
        taker_commission: "2000000000",
        taker_exchange_fee: "0.0000000001",
        maker_side: "BUY",
        maker_order: 1,
        maker_client: "alice",
        maker_commission: "0.0000012345",
        maker_exchange_fee: "0",
        fee_asset: "USD",
      },
      expect.objectContaining({
        trade: 2,
        price: "0.05",
        quantity: "0.25",
        maker_order: null,
        maker_client: "market",
      }),
    ]);
  });

  test("the latest balance of every wallet, opening balances included", () => {
    expect(read(tradedVenue(), "SELECT * FROM balances ORDER BY client, asset")).toEqual([
      { client: "alice", asset: "BTC", balance: "1.99999999", changed_by: 3 },
      { client: "alice", asset: "USD", balance: "10000000000", changed_by: null },
      { client: "bob", asset: "BTC", balance: "-0.5", changed_by: 2 },
      { client: "bob", asset: "USD", balance: "0.0000000005", changed_by: null },
      { client: "fees", asset: "USD", balance: "100000000000.0000000005", changed_by: 3 },
      { client: "outside", asset: "BTC", balance: "-1.5", changed_by: null },
      { client: "outside", asset: "USD", balance: "-10000000000.0000000005", changed_by: null },
    ]);
  });

  test("the journal with names, times and hashes", () => {
    expect(read(tradedVenue(), "SELECT * FROM journal_readable WHERE seq = 4")).toEqual([
      {
        seq: 4,
        time: new Date(start + 4007).toISOString(),
        kind: "CancelOrder",
        command: '{"client":0,"order":3}',
        hash: sampleEntry(4).hash,
      },
    ]);
  });

  test("no number that went through floating point", () => {
    const file = tradedVenue();
    const types = read(
      file,
      "SELECT DISTINCT typeof(amount) AS a, typeof(balance) AS b FROM posting ORDER BY a, b",
    );
    expect(types).toEqual([
      { a: "integer", b: "integer" },
      { a: "integer", b: "text" },
    ]);
    expect(read(file, "SELECT DISTINCT typeof(taker_commission) AS t FROM fill ORDER BY t")).toEqual([
      { t: "integer" },
      { t: "text" },
    ]);
  });
});
