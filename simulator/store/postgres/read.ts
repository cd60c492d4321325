/** Reads a world back, as its new owner does, and as the nodes do that follow it. */
import type { NonceRecord } from "../../domain/account.ts";
import { commandKinds } from "../../domain/command.ts";
import type { JournalEntry, JournalReader, SnapshotRow, VenueHeader } from "../../sequencer/ports.ts";
import { StoreFailure } from "../../sequencer/store-failure.ts";
import type { NonceFloor } from "../nonces.ts";
import { checksumOf } from "../snapshots.ts";
import type { StoreServer } from "./server.ts";

/** The last entry; `hash` is null before the first. */
export interface Head {
  readonly seq: number;
  readonly hash: string | null;
}

/** All entries up to the head, and the newest snapshot that is whole. */
export async function readHistory(
  server: StoreServer,
  world: string,
  header: VenueHeader,
  head: Head,
): Promise<JournalReader> {
  const snapshot = await latestSnapshot(server, world);
  const entries = await entriesOf(server, world, header.createdAt);
  const last = entries.at(-1);
  if ((last?.seq ?? 0) !== head.seq || (last?.hash ?? null) !== head.hash)
    throw new StoreFailure("gap", `The journal ends with entry ${last?.seq ?? 0}, its head is ${head.seq}.`);
  return {
    header,
    latestSnapshot: () => snapshot,
    entriesAfter: (seq) => entries.slice(seq).values(),
  };
}

export async function readFloors(server: StoreServer, world: string): Promise<readonly NonceFloor[]> {
  const { rows } = await server.ask<{ key: number; timestamp: string }>(
    "SELECT key, timestamp FROM nonce_floor WHERE world = $1",
    [world],
  );
  return rows.map(({ key, timestamp }) => ({ key, timestamp: Number(timestamp) }));
}

export async function readNonces(server: StoreServer, world: string): Promise<readonly NonceRecord[]> {
  return (await readNoncesAfter(server, world, "0")).nonces;
}

/** Those that came after a row, which has its number from the order of their commits; and the last of them. */
export async function readNoncesAfter(
  server: StoreServer,
  world: string,
  after: string,
): Promise<{ readonly nonces: readonly NonceRecord[]; readonly last: string }> {
  const { rows } = await server.ask<{
    id: string;
    key: number;
    nonce: Buffer;
    timestamp: string;
    receivedAt: string;
  }>(
    `SELECT id, key, nonce, timestamp, received_at AS "receivedAt" FROM nonce WHERE world = $1 AND id > $2 ORDER BY id`,
    [world, after],
    "nonces",
  );
  const nonces = rows.map(({ key, nonce, timestamp, receivedAt }) => ({
    key,
    nonce: nonce.toString("hex"),
    timestamp: Number(timestamp),
    receivedAt: Number(receivedAt),
  }));
  return { nonces, last: rows.at(-1)?.id ?? after };
}

interface SnapshotBytes {
  readonly seq: string;
  readonly hash: Buffer;
  readonly engineVersion: string;
  readonly checksum: Buffer;
  readonly body: Buffer;
}

/** Null: there is none that is what was saved. Two are kept, and one is read at a time, because they can be large. */
export async function latestSnapshot(server: StoreServer, world: string): Promise<SnapshotRow | null> {
  for (let newer = 0; ; newer += 1) {
    const { rows } = await server.ask<SnapshotBytes>(
      `SELECT snapshot.seq, snapshot.hash, engine_version AS "engineVersion", checksum, body
         FROM snapshot JOIN journal USING (world, seq, hash) WHERE world = $1 ORDER BY snapshot.seq DESC LIMIT 1 OFFSET $2`,
      [world, newer],
    );
    const [row] = rows;
    if (row === undefined) return null;
    const { engineVersion, body } = row;
    const snapshot = { seq: Number(row.seq), hash: row.hash.toString("hex"), engineVersion, body };
    if (checksumOf(snapshot).equals(row.checksum)) return snapshot;
  }
}

async function entriesOf(server: StoreServer, world: string, origin: number): Promise<JournalEntry[]> {
  const { rows } = await server.ask<EntryRow>(
    "SELECT seq, elapsed, kind, command, hash FROM journal WHERE world = $1 ORDER BY seq",
    [world],
  );
  return rows.map((row, index) => entryOf(row, index + 1, origin));
}

interface EntryRow {
  readonly seq: string;
  readonly elapsed: string;
  readonly kind: number;
  readonly command: string;
  readonly hash: Buffer;
}

function entryOf({ seq, elapsed, kind: code, command, hash }: EntryRow, expected: number, origin: number) {
  const kind = commandKinds[code];
  if (Number(seq) !== expected || kind === undefined)
    throw new StoreFailure("gap", `The journal is damaged at entry ${expected}.`);
  return { seq: expected, at: origin + Number(elapsed), kind, command, hash: hash.toString("hex") };
}

/** What a journal has after an entry, as far as it was asked for, and where it ends: both of one moment. */
export interface Tail {
  /** Of the world: another one of its name has another. */
  readonly id: string;
  readonly head: number;
  readonly entries: readonly JournalEntry[];
}

/** Undefined: the store has no such world. */
export async function readTail(
  server: StoreServer,
  world: string,
  after: number,
  most: number,
): Promise<Tail | undefined> {
  const { rows } = await server.ask<
    { id: string; head: string; origin: string } & { [Column in keyof EntryRow]: EntryRow[Column] | null }
  >(
    `SELECT id, world.seq AS head, created_at AS origin, entry.* FROM world LEFT JOIN LATERAL (
       SELECT seq, elapsed, kind, command, hash FROM journal
       WHERE journal.world = world.name AND journal.seq > $2 ORDER BY journal.seq LIMIT $3) AS entry ON true
     WHERE world.name = $1 ORDER BY entry.seq`,
    [world, after, most],
    "tail",
  );
  const [first] = rows;
  if (first === undefined) return undefined;
  const [origin, head] = [Number(first.origin), Number(first.head)];
  // as: a row of the outer join has all columns of its entry, or none.
  const found = rows.filter(({ seq }) => seq !== null) as readonly EntryRow[];
  const entries = found.map((row, index) => entryOf(row, after + index + 1, origin));
  const last = entries.at(-1)?.seq ?? after;
  if (last < head && entries.length < most)
    throw new StoreFailure("gap", `The journal ends with entry ${last}, its head is ${head}.`);
  return { id: first.id, head, entries };
}
