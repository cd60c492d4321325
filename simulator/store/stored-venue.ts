/**
 * The header of a database: which venue it is, which world it was made with, and the names that its views
 * show. Written once, when the venue is created; only the lists of codes may grow later.
 */
import { randomBytes } from "node:crypto";
import { commandKinds } from "../domain/command.ts";
import type { OrderStatus } from "../domain/order.ts";
import type { World } from "../domain/world.ts";
import type { VenueHeader } from "../sequencer/ports.ts";
import { StoreFailure } from "../sequencer/store-failure.ts";
import { toStored } from "./columns.ts";
import { numberIn } from "./database.ts";
import { resetCommand } from "./database-file.ts";
import type { Sqlite } from "./driver.ts";

export interface StoredVenue {
  /** 32 random hex digits by which the mark and the database recognise each other. */
  readonly id: string;
  readonly header: VenueHeader;
}

export interface NewVenue {
  readonly world: World;
  /** Market time. */
  readonly now: number;
  readonly engineVersion: string;
  /** Resets so far. */
  readonly epoch?: number;
}

/** Codes of the table `status_change`: the position in this list. Append only. */
export const orderStatuses = [
  "PENDING",
  "OPEN",
  "FILLED",
  "CANCELLED",
  "EXPIRED",
  "FAILED",
] as const satisfies readonly OrderStatus[];

/** Owners of postings that are no clients. */
export const venueOwners: readonly (readonly [number: number, name: string])[] = [
  [-1, "fees"],
  [-2, "market"],
  [-3, "outside"],
];
const outside = -3;

const codeLists: readonly (readonly [table: string, names: readonly string[]])[] = [
  ["command_kind", commandKinds],
  ["order_status", orderStatuses],
];

interface VenueRow {
  readonly venueId: Buffer;
  readonly world: string;
  readonly worldDigest: string;
  readonly seed: number;
  readonly engineVersion: string;
  readonly epoch: number;
  readonly createdAt: number;
}

/** Null for a database without a venue in it: a crash after the file was created. */
export function readVenue(db: Sqlite): StoredVenue | null {
  const row = db
    .prepare<[], VenueRow>(
      `SELECT venue_id AS venueId, world, world_digest AS worldDigest, seed,
         engine_version AS engineVersion, epoch, created_at AS createdAt FROM venue`,
    )
    .get();
  if (row === undefined) return null;
  const { venueId, ...header } = row;
  return { id: venueId.toString("hex"), header };
}

/** Writes header, names and opening balances in one transaction. */
export function createVenue(
  db: Sqlite,
  id: string,
  { world, now, engineVersion, epoch = 0 }: NewVenue,
): StoredVenue {
  const header: VenueHeader = {
    world: world.canonical,
    worldDigest: world.digest,
    seed: world.seed,
    engineVersion,
    epoch,
    createdAt: now,
  };
  db.transaction(() => {
    db.prepare("INSERT INTO venue VALUES (1, ?, ?, ?, ?, ?, ?, ?)").run(
      Buffer.from(id, "hex"),
      header.world,
      header.worldDigest,
      header.seed,
      header.engineVersion,
      header.epoch,
      header.createdAt,
    );
    nameWorld(db, world);
    extendCodeLists(db);
  }).immediate();
  return { id, header };
}

/** Takes a database back to an entry, with the rows and snapshots that hang on later ones. */
export function forgetAfter(db: Sqlite, entry: number): void {
  db.transaction(() => {
    for (const table of ["fill", "status_change", "posting", "snapshot", "journal"])
      db.prepare(`DELETE FROM ${table} WHERE seq > ?`).run(entry);
  }).immediate();
}

export const newVenueId = (): string => randomBytes(16).toString("hex");

/** Refuses a file of another world: its entries would mean something else here. */
export function requireSameWorld(file: string, header: VenueHeader, world: World): void {
  const advice = `or choose another file with --db. To start afresh in this file: ${resetCommand(file)}.`;
  if (header.seed !== world.seed && withoutSeed(header.world) === withoutSeed(world.canonical)) {
    throw new StoreFailure(
      "other",
      `The database ${file} was made with seed ${header.seed}, and this start asks for seed ${world.seed}. ` +
        `Start with --seed ${header.seed}, ${advice}`,
    );
  }
  if (header.worldDigest !== world.digest) {
    throw new StoreFailure(
      "other",
      `The database ${file} was made with another world (digest ${shorten(header.worldDigest)}) than this ` +
        "start has " +
        `(${shorten(world.digest)}). Start with the --world it was made with, ${advice}`,
    );
  }
}

/** Where the world differs, too, another seed would not help. */
const withoutSeed = (canonical: string): string => canonical.replaceAll(/"seed":\d+/g, "");

/** Refuses a file whose codes mean something else in this program. Lists that grew are no difference. */
export function requireSameCodes(db: Sqlite, file: string): void {
  for (const [table, names] of codeLists) {
    for (const { code, name } of codesOf(db, table)) {
      if (names[code] === name) continue;
      throw new StoreFailure(
        "other",
        `The database ${file} calls code ${code} of ${table} "${name}", and this program calls it ` +
          `"${names[code] ?? "nothing"}". Open it with the program that wrote it, or choose another file ` +
          "with --db.",
      );
    }
  }
}

/** Adds the names that this program knows and an older file does not. */
export function extendCodeLists(db: Sqlite): void {
  for (const [table, names] of codeLists) {
    const known = codesOf(db, table).length;
    const insert = db.prepare(`INSERT INTO ${table} VALUES (?, ?)`);
    names.slice(known).forEach((name, offset) => insert.run(known + offset, name));
  }
}

const codesOf = (db: Sqlite, table: string): readonly { readonly code: number; readonly name: string }[] =>
  db.prepare<[], { code: number; name: string }>(`SELECT code, name FROM ${table} ORDER BY code`).all();

const shorten = (digest: string): string => `${digest.slice(0, 12)}…`;

function nameWorld(db: Sqlite, world: World): void {
  const asset = db.prepare("INSERT INTO asset VALUES (?, ?, ?, ?)");
  for (const { index, symbol, name, scale } of world.assets) asset.run(index, symbol, name, scale);

  const product = db.prepare("INSERT INTO product VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
  for (const { index, id, base, quote, priceScale, tickUnit, lotScale, lotUnit } of world.products) {
    product.run(index, id, base.index, quote.index, priceScale, tickUnit, lotScale, lotUnit);
  }

  const client = db.prepare("INSERT INTO client VALUES (?, ?)");
  for (const [number, name] of venueOwners) client.run(number, name);
  world.clients.forEach(({ name }, number) => client.run(number, name));

  // The opening balances of clients come from outside, so the balances of every asset sum to zero from the first row
  // on.
  const opening = db.prepare("INSERT INTO opening_balance VALUES (?, ?, ?)");
  const total = new Map<number, bigint>();
  world.clients.forEach(({ balances }, number) => {
    for (const [assetIndex, amount] of balances) {
      opening.run(number, assetIndex, toStored(amount));
      total.set(assetIndex, (total.get(assetIndex) ?? 0n) + amount);
    }
  });
  for (const [assetIndex, amount] of total) opening.run(outside, assetIndex, toStored(-amount));
}

/** The number of keys of a venue, created ones included. Nonces name a key by its number. */
export const keysIn = (db: Sqlite, world: World): number =>
  world.keys.length +
  numberIn(db, "SELECT count(*) FROM journal WHERE kind = ?", commandKinds.indexOf("CreateKey"));
