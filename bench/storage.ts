/**
 * Disk per order and insert rate against the plain text-UUID schema most would write (goal 13), and restart from a
 * snapshot against replaying the journal (goal 11). The venue is driven without HTTP.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import Database from "better-sqlite3";
import { captureSnapshot, restoreSnapshot, stateHash } from "../simulator/engine/snapshot.ts";
import { RealClock } from "../simulator/sequencer/clock.ts";
import { recover } from "../simulator/sequencer/recover.ts";
import { Sequencer } from "../simulator/sequencer/sequencer.ts";
import { openJournal } from "../simulator/store/open-journal.ts";
import { loadWorldValue } from "../simulator/world/load-world.ts";
import { goal, heading, print } from "./lib/print.ts";

const ORDERS = Number(process.argv[2] ?? 100_000);
const BATCH = 32;
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-bench-"));

const built = await loadWorldValue({
  extends: "demo",
  settings: { matchDelayMs: 0, syncDelayMs: 3_600_000, maxOpenOrders: 1_000_000 },
  products: [
    {
      id: "BTC-USD",
      baseIncrement: "0.00000001",
      priceIncrement: "0.01",
      referencePrice: "55000",
      liquidity: { mode: "empty" },
    },
  ],
  clients: [
    {
      name: "loader",
      feeModel: "ALL_IN",
      makerRate: "0.0025",
      takerRate: "0.0025",
      balances: { USD: "90000000", BTC: "900000" },
    },
  ],
  keys: [{ name: "trader", client: "loader", claims: ["write:orders"] }],
});
if (!built.ok) throw new Error(JSON.stringify(built.error));
const { world } = built.value;
const file = path.join(folder, "venue.db");
const open = (): ReturnType<typeof openJournal> =>
  openJournal({ file, world, now: Date.now(), engineVersion: "bench" });

function makeSequencer(journal: ReturnType<typeof openJournal>): Sequencer {
  return new Sequencer({
    journal,
    ...recover(journal, world),
    clock: new RealClock(),
    schedule: { nextAt: () => null, commandsAt: () => [] },
    housekeep: () => undefined,
    onCommitted: () => undefined,
    onFailure: (failure) => console.error(failure.message),
  });
}

async function ourRate(venue: Sequencer): Promise<number> {
  const start = process.hrtime.bigint();
  for (let done = 0; done < ORDERS; done += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, index) => {
      const side = index % 2 === 0 ? ("BUY" as const) : ("SELL" as const);
      const price = String(
        side === "BUY" ? 50_000 - ((done + index) % 4000) : 60_000 + ((done + index) % 4000),
      );
      const rest = { stopPrice: null, quoteValue: null, fault: null, baseQuantity: "0.001", price };
      return venue.submit({
        kind: "PlaceOrder",
        client: 0,
        clientOrderId: randomUUID(),
        product: "BTC-USD",
        side,
        type: "LIMIT",
        ...rest,
      });
    });
    await Promise.all(batch);
  }
  return ORDERS / (Number(process.hrtime.bigint() - start) / 1e9);
}

function plainRate(): { perSecond: number; bytes: number } {
  const plain = path.join(folder, "plain.db");
  const db = new Database(plain);
  db.pragma("journal_mode = WAL");
  db.pragma("synchronous = FULL");
  db.exec(`CREATE TABLE orders (
    id TEXT PRIMARY KEY, created_at TEXT, updated_at TEXT, user_id TEXT, product_id TEXT, side TEXT, client_order_id TEXT UNIQUE,
    type TEXT, status TEXT, base_quantity TEXT, limit_price TEXT, filled_quantity TEXT, fees TEXT);
    CREATE INDEX by_user ON orders (user_id, created_at); CREATE INDEX by_status ON orders (status, product_id);`);
  const insert = db.prepare("INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const user = randomUUID();
  const start = process.hrtime.bigint();
  for (let done = 0; done < ORDERS; done += BATCH) {
    db.transaction(() => {
      for (let index = 0; index < BATCH; index++) {
        const now = new Date().toISOString();
        insert.run(
          randomUUID(),
          now,
          now,
          user,
          "BTC-USD",
          "BUY",
          randomUUID(),
          "LIMIT",
          "OPEN",
          "0.001",
          "50000",
          "0",
          "0",
        );
      }
    })();
  }
  const perSecond = ORDERS / (Number(process.hrtime.bigint() - start) / 1e9);
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
  return { perSecond, bytes: statSync(plain).size / ORDERS };
}

function timed<T>(work: () => T): { ms: number; result: T } {
  const start = process.hrtime.bigint();
  const result = work();
  return { ms: Number(process.hrtime.bigint() - start) / 1e6, result };
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

try {
  heading(`Storage: ${ORDERS} resting orders, ${BATCH} to a transaction, synchronous=FULL`);
  const journal = open();
  journal.checkpoint();
  const emptyBytes = statSync(file).size;
  const venue = makeSequencer(journal);
  const ours = await ourRate(venue);
  venue.stop();
  const text = captureSnapshot(venue.state);
  const before = stateHash(venue.state);
  journal.checkpoint();
  const journalBytes = statSync(file).size - emptyBytes;
  journal.close();
  const plain = plainRate();
  print(
    ["", "orders/s", "bytes/order"],
    [
      ["plain text-UUID schema, rows only", plain.perSecond.toFixed(0), plain.bytes.toFixed(0)],
      ["venue: checks, matching, journal", ours.toFixed(0), (journalBytes / ORDERS).toFixed(0)],
    ],
  );
  goal(
    "disk per order at most 0.3x of the plain schema",
    journalBytes / ORDERS / plain.bytes <= 0.3,
    `${(journalBytes / ORDERS / plain.bytes).toFixed(2)}x`,
  );

  const fromSnapshot = [1, 2, 3, 4, 5].map(() => timed(() => restoreSnapshot(world, text)));
  const again = open();
  const fromJournal = [1, 2, 3].map(() => timed(() => recover(again, world)));
  const same =
    fromSnapshot.every(({ result }) => stateHash(result) === before) &&
    fromJournal.every(({ result }) => stateHash(result.state) === before);
  const snapshotMs = median(fromSnapshot.map(({ ms }) => ms));
  const journalMs = median(fromJournal.map(({ ms }) => ms));
  print(
    ["restart", "ms"],
    [
      ["from a snapshot", snapshotMs.toFixed(0)],
      ["from the journal", journalMs.toFixed(0)],
    ],
  );
  goal("both restarts give the same state", same, same ? "equal hashes" : "different hashes");
  goal(
    "restart from a snapshot at most 0.2x of rebuilding",
    snapshotMs / journalMs <= 0.2,
    `${(snapshotMs / journalMs).toFixed(2)}x`,
  );
  again.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
