/**
 * The disk space and the insert rate of orders, against a plain text-UUID schema;
 * restart from a snapshot against replaying the journal. No HTTP.
 *
 * **Storing.** Three files grow side by side, 32 rows to a transaction, with the same settings (`synchronous=FULL`,
 * WAL, checkpoints every 4,000 pages). *Journal of the store* is what the venue writes for an order that rests: an
 * entry with the command's text and its hash, and the high-water mark after each commit. For it and the plain schema the
 * rows are ready before the clock starts. *Whole venue* also reads the command, checks, matches, hashes and keeps the
 * order in memory, on the clock. Not included: the nonce of a signed request (the plain schema keeps none, either), and
 * what a fill or a cancel adds. The store has no index for reading: the venue reads from memory, the plain schema by its
 * indexes.
 *
 * **Restarting.** Each restart is a process of its own, timed from the open journal to the audited state: reading, checksum,
 * rebuilding, audit. Starting Node and opening the file (equal for both) are not in it.
 *
 * `--only storing`, `--only restart`, `--rows 325000`.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { captureSnapshot, stateHash } from "../simulator/engine/snapshot.ts";
import { genesisHash } from "../simulator/sequencer/chain.ts";
import { encodeCommand } from "../simulator/sequencer/codec.ts";
import type { JournalEntry } from "../simulator/sequencer/ports.ts";
import { bytesHeld } from "./lib/held.ts";
import { loadWorld, openLoadJournal, restingOrder, startSequencer } from "./lib/load-venue.ts";
import { type Candidate, compare, type Row } from "./lib/paired.ts";
import { PlainOrders, plainOrder, plainRow } from "./lib/plain-orders.ts";
import { goal, heading, print, table } from "./lib/print.ts";
import { refuseBusyMachine } from "./lib/quiet.ts";

refuseBusyMachine();

const batchSize = 32;
const sliceSize = 800 * batchSize;
const { values: flags } = parseArgs({
  options: { only: { type: "string" }, rows: { type: "string", default: "325000" } },
});
const stored = Number(flags.rows);
const restarted = 100_000;
const restarts = 7;
const plain = "plain text-UUID schema";
const storeRow = "journal of the store";
const venueRow = "whole venue";

const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-bench-"));
const inFolder = (name: string): string => path.join(folder, name);
const world = await loadWorld();

/** Rows per second; `make` is not on the clock. */
function slice<T>(make: (n: number) => T, store: (batch: readonly T[]) => unknown): Candidate["slice"] {
  let n = 0;
  return async () => {
    const batches = Array.from({ length: sliceSize / batchSize }, () =>
      Array.from({ length: batchSize }, () => make(n++)),
    );
    const start = process.hrtime.bigint();
    for (const batch of batches) await store(batch);
    return sliceSize / (Number(process.hrtime.bigint() - start) / 1e9);
  };
}

interface Stored extends Candidate {
  /** Lets go of the file with all its rows in it, and returns its size. */
  readonly close: () => number;
}

function plainCandidate(): Stored {
  const file = inFolder("plain.db");
  const orders = new PlainOrders(file);
  const user = randomUUID();
  const close = (): number => {
    orders.close();
    return statSync(file).size;
  };
  return {
    name: plain,
    slice: slice(
      () => plainRow(user, plainOrder()),
      (batch) => orders.add(batch),
    ),
    close,
  };
}

function storeCandidate(): Stored {
  const file = inFolder("journal.db");
  const journal = openLoadJournal(file, world);
  const hash = genesisHash(journal.header);
  const entry = (n: number): JournalEntry => {
    const command = encodeCommand(restingOrder(n));
    return { seq: n + 1, at: journal.header.createdAt + n, kind: "PlaceOrder", command, hash };
  };
  const store = (entries: readonly JournalEntry[]): void => {
    journal.begin();
    for (const each of entries) journal.append(each);
    journal.commit();
  };
  const close = (): number => {
    journal.close();
    return statSync(file).size;
  };
  return { name: storeRow, slice: slice(entry, store), close };
}

function venueCandidate(): Stored {
  const file = inFolder("venue.db");
  const journal = openLoadJournal(file, world);
  journal.checkpoint();
  const empty = statSync(file).size;
  const venue = startSequencer(journal, world);
  const close = (): number => {
    venue.stop();
    journal.close();
    return statSync(file).size - empty;
  };
  const store = (batch: readonly ReturnType<typeof restingOrder>[]): Promise<unknown> =>
    Promise.all(batch.map((order) => venue.submit(order)));
  return { name: venueRow, slice: slice(restingOrder, store), close };
}

async function measureStoring(): Promise<void> {
  const cycles = Math.ceil(stored / sliceSize) - 1;
  const rows = (cycles + 1) * sliceSize;
  heading(`Storing ${rows} resting orders, ${batchSize} to a transaction, ${cycles} slices of ${sliceSize}`);
  const candidates = [plainCandidate(), storeCandidate(), venueCandidate()];
  const measured = await compare(plain, candidates, cycles);
  table(measured, plain, "orders/s");
  const ratio = ratioOf(measured, storeRow);
  goal("insert rate at least 4x of the plain schema", ratio >= 4, `${ratio.toFixed(1)}x`);
  const sizes = candidates.map(({ name, close }) => ({ name, bytes: close() / rows }));
  console.log();
  print(
    ["", "bytes/order"],
    sizes.map(({ name, bytes }) => [name, bytes.toFixed(0)]),
  );
  const bytesOf = (wanted: string): number => sizes.find(({ name }) => name === wanted)?.bytes ?? Number.NaN;
  const disk = bytesOf(venueRow) / bytesOf(plain);
  goal("disk per order at most 0.3x of the plain schema", disk <= 0.3, `${disk.toFixed(2)}x`);
}

const ratioOf = (rows: readonly Row[], wanted: string): number =>
  rows.find(({ name }) => name === wanted)?.ratio.median ?? Number.NaN;

interface Held {
  /** Hash of the state. */
  readonly state: string;
  /** Memory that it takes. */
  readonly bytes: number;
}

/** A venue with open orders on a file, closed with a snapshot. */
async function openOrders(file: string): Promise<Held> {
  const journal = openLoadJournal(file, world);
  const before = bytesHeld();
  const venue = startSequencer(journal, world);
  for (let n = 0; n < restarted; n += batchSize)
    await Promise.all(Array.from({ length: batchSize }, (_, index) => venue.submit(restingOrder(n + index))));
  const bytes = bytesHeld() - before;
  venue.stop();
  const { state, hash } = venue;
  journal.saveSnapshot({ seq: state.seq, hash, engineVersion: "bench", body: captureSnapshot(state) });
  journal.close();
  return { state: stateHash(state), bytes };
}

function restart(file: string, from: string): Held & { readonly ms: number } {
  const script = fileURLToPath(new URL("servers/restart.js", import.meta.url));
  const { stdout, stderr } = spawnSync(process.execPath, [script, file, from], { encoding: "utf8" });
  if (stdout === "") throw new Error(stderr);
  return JSON.parse(stdout) as Held & { ms: number };
}

async function measureRestarting(): Promise<void> {
  heading(`Restarting with ${restarted} open orders, ${restarts} times each`);
  const file = inFolder("restart.db");
  const before = await openOrders(file);
  const states = new Set([before.state]);
  const held = [{ name: "by the venue that placed them", bytes: before.bytes }];
  const candidates = ["journal", "snapshot"].map((name) => ({
    name,
    slice: () => {
      const { ms, state, bytes } = restart(file, name);
      states.add(state);
      if (held.length < 2 && name === "snapshot")
        held.push({ name: "after a restart from a snapshot", bytes });
      return 1 / ms;
    },
  }));
  const rows = await compare("journal", candidates, restarts);
  print(
    ["restart from", "ms", "x journal", "min", "max"],
    rows.map(({ name, value, ratio }) => [
      name,
      (1 / value.median).toFixed(0),
      (1 / ratio.median).toFixed(2),
      (1 / ratio.max).toFixed(2),
      (1 / ratio.min).toFixed(2),
    ]),
  );
  console.log();
  print(
    ["open orders held", "bytes/order"],
    held.map(({ name, bytes }) => [name, (bytes / restarted).toFixed(0)]),
  );
  const ms = 1 / (rows.find(({ name }) => name === "snapshot")?.value.median ?? Number.NaN);
  goal(
    "both restarts give the same state",
    states.size === 1,
    states.size === 1 ? "equal hashes" : "different hashes",
  );
  goal("restart from a snapshot within a second", ms <= 1000, `${ms.toFixed(0)} ms`);
}

try {
  if (flags.only !== "restart") await measureStoring();
  if (flags.only !== "storing") await measureRestarting();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
