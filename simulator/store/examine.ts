/**
 * Everything that can refuse an existing database, asked over a connection that cannot write.
 *
 * A writing connection would fold the log into the database when it closes again, and with it the evidence of
 * what went wrong. So a file is examined first, and opened for writing only if all checks pass.
 *
 * Ordering: whose file is it, can this program read it, is it sound, is it this venue, is all of it there.
 *
 * Found here: foreign, newer and structurally damaged files, a missing, cut or flipped log, a swapped
 * or older file, entries missing in the middle. Not found here: a changed byte inside a row that still reads as
 * a row. Only the hash chain sees that, when recovery recomputes it (sequencer).
 */
import type { World } from "../domain/world.ts";
import { StoreFailure } from "../sequencer/store-failure.ts";
import { lastNonceIn, openToRead } from "./database.ts";
import { type DatabaseFile, resetCommand } from "./database-file.ts";
import type { Sqlite } from "./driver.ts";
import type { Mark, MarkReading } from "./mark.ts";
import { applicationId, schemaVersion, schemaVersionOf } from "./migrations.ts";
import { requireOurSchema } from "./schema.ts";
import { adviceToRestore, storeFailureFrom } from "./store-failure.ts";
import { readVenue, requireSameCodes, requireSameWorld, type StoredVenue } from "./stored-venue.ts";

export interface Head {
  readonly seq: number;
  readonly at: number;
  readonly hash: string;
}

export interface Examined {
  /** Null for a file that holds no venue yet. */
  readonly venue: StoredVenue | null;
  readonly head: Head | null;
  /** Id of the last nonce; 0 for none. */
  readonly nonce: number;
}

const nothing: Examined = { venue: null, head: null, nonce: 0 };

/** Above this size the full read is left out, so that a start stays within seconds. */
export const quickCheckLimit = 512 * 1024 * 1024;

export function examine(file: DatabaseFile, size: number, reading: MarkReading, world: World): Examined {
  if (file.state === "absent") return requireMarked(file, nothing, reading);
  const db = openToRead(file.path);
  try {
    return judge(db, file, size, reading, world);
  } catch (error) {
    throw storeFailureFrom(error, { file: file.path, doing: "while it was examined" });
  } finally {
    db.close();
  }
}

/** The same over a connection that is open already. Without a world, a venue of any is right. */
export function judge(
  db: Sqlite,
  file: DatabaseFile,
  size: number,
  reading: MarkReading,
  world: World | null,
): Examined {
  requireOurs(db, file.path);
  requireOurSchema(db, file.path);
  if (size <= quickCheckLimit) requireSound(db, file.path);
  const found = lookInside(db);
  if (found.venue !== null) {
    if (world !== null) requireSameWorld(file.path, found.venue.header, world);
    requireSameCodes(db, file.path);
    requireContiguous(db, file.path);
  }
  return requireMarked(file, found, reading, (seq) => hashAt(db, seq));
}

export function lookInside(db: Sqlite): Examined {
  if (schemaVersionOf(db) === 0) return nothing;
  return { venue: readVenue(db), head: headOf(db), nonce: lastNonceIn(db) };
}

/** Whether the mark is this venue's: only then can it tell that something is missing. */
export const belongsTo = (reading: MarkReading, venue: StoredVenue | null): boolean =>
  reading.kind === "valid" && reading.mark.venueId === venue?.id;

export function headOf(db: Sqlite): Head | null {
  const row = db
    .prepare<[], { seq: number; at: number; hash: Buffer }>(
      "SELECT seq, created_at + elapsed AS at, hash FROM journal, venue ORDER BY seq DESC LIMIT 1",
    )
    .get();
  return row === undefined ? null : { seq: row.seq, at: row.at, hash: row.hash.toString("hex") };
}

/** Entries run from 1 without a gap. One pass over the primary key. */
export function requireContiguous(db: Sqlite, file: string): void {
  const { count, first, last } = db
    .prepare<[], { count: number; first: number | null; last: number | null }>(
      "SELECT count(*) AS count, min(seq) AS first, max(seq) AS last FROM journal",
    )
    .get() ?? { count: 0, first: null, last: null };
  if (count === 0 || (first === 1 && last === count)) return;
  throw new StoreFailure(
    "gap",
    `The journal in ${file} has holes: its last entry is ${last}, its first ${first}, and it holds ` +
      `${count}. ${adviceToRestore}`,
  );
}

export function requireOurs(db: Sqlite, file: string): void {
  const version = schemaVersionOf(db);
  const application = db.pragma("application_id", { simple: true });
  if (application !== applicationId) {
    const isBlank =
      version === 0 &&
      application === 0 &&
      db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
    if (isBlank) return;
    throw new StoreFailure(
      "not-a-database",
      `${file} is a database of another program, not of Gatewright. Choose another file with --db.`,
    );
  }
  if (version <= schemaVersion) return;
  throw new StoreFailure(
    "newer-version",
    `The database ${file} has schema version ${version}, and this program knows versions up to ` +
      `${schemaVersion}. ` +
      "Update Gatewright, or choose another file with --db. The file was not changed.",
  );
}

export function requireSound(db: Sqlite, file: string, check = "quick_check"): void {
  const found = db.pragma(`${check}(1)`, { simple: true });
  if (found === "ok") return;
  throw new StoreFailure(
    "corrupt",
    `The database ${file} is damaged (${String(found).split("\n").join(" ")}). ${adviceToRestore}`,
  );
}

export function hashAt(db: Sqlite, seq: number): string | null {
  const row = db.prepare<[number], { hash: Buffer }>("SELECT hash FROM journal WHERE seq = ?").get(seq);
  return row === undefined ? null : row.hash.toString("hex");
}

/** Compares what the journal holds with what was acknowledged. */
export function requireMarked(
  { path, mark: markFile }: DatabaseFile,
  found: Examined,
  reading: MarkReading,
  hashOf: (seq: number) => string | null = () => null,
): Examined {
  if (reading.kind !== "valid" || reading.mark.seq === 0) {
    if (found.venue !== null && found.head === null && !belongsTo(reading, found.venue))
      throw bareCopy(path, markFile);
    return found;
  }
  const { mark } = reading;
  const problem = differenceFrom(mark, found, hashOf);
  if (problem === null) return found;
  throw new StoreFailure(
    "gap",
    `Acknowledged entries are missing from ${path}: its mark ${markFile} was left at entry ${mark.seq}, ` +
      `and ${problem}. ` +
      "Restore the database together with its -wal file, or a backup together with its mark. To go on with what is " +
      `there, move the mark away and start again. To start afresh: ${resetCommand(path)}. The file was not changed.`,
  );
}

/** A venue whose database was copied, or kept, without the log that holds its first entries. */
const bareCopy = (file: string, markFile: string): StoreFailure =>
  new StoreFailure(
    "gap",
    `The database ${file} holds a venue without a single entry, and its mark ${markFile} is not there to say that ` +
      "it never had one. A copy of the database alone, made before the venue was idle, looks like this: its " +
      "entries are in the -wal file. `gatewright backup` makes whole copies. " +
      `To start afresh: ${resetCommand(file)}. The file was not changed.`,
  );

function differenceFrom(
  mark: Mark,
  { venue, head }: Examined,
  hashOf: (seq: number) => string | null,
): string | null {
  if (venue === null) return "there is no venue in the database";
  if (venue.id !== mark.venueId) return "the database belongs to another venue";
  if (head === null) return "the journal is empty";
  if (head.seq < mark.seq) return `the journal ends at entry ${head.seq}`;
  return hashOf(mark.seq) === mark.hash ? null : "the journal holds another entry there";
}
