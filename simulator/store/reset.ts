/**
 * Removes the files of a venue: the database with its snapshots, its log, the index of the log and the mark. A damaged
 * venue is removed like a sound one; a file that another process holds, or another program wrote, is not.
 */
import { closeSync, existsSync, lstatSync, openSync, readdirSync, readSync, rmSync } from "node:fs";
import path from "node:path";
import { StoreFailure } from "../sequencer/store-failure.ts";
import { memory, openToRead } from "./database.ts";
import { fileFailure, lookFor, removeVenueFiles, venueFilesOf } from "./database-file.ts";
import { applicationId } from "./migrations.ts";
import { storeFailureFrom } from "./store-failure.ts";

export interface VenueReset {
  readonly removed: readonly string[];
  /** Evidence that a venue wrote when it stopped; it is kept. */
  readonly evidence: readonly string[];
}

export function resetFiles(given: string): VenueReset {
  if (given === memory)
    throw new StoreFailure("other", "A venue in memory has no file: it is gone when its process ends.");
  const { file, found } = lookFor(given);
  const named = path.resolve(given);
  const link = lstatSync(named, { throwIfNoEntry: false })?.isSymbolicLink() === true ? [named] : [];
  const removed = [...venueFilesOf(file).filter((each) => existsSync(each)), ...link];
  if (found !== undefined && found.size > 0) {
    requireOurHeader(file);
    requireFree(file);
  }
  try {
    removeVenueFiles(file);
    for (const each of link) rmSync(each);
  } catch (error) {
    throw fileFailure(error, `The files of ${file} could not be removed`);
  }
  return { removed, evidence: evidenceOf(file) };
}

const headerBytes = 100;
const applicationIdAt = 68;

/** Read as bytes, so that a venue is known although its content is damaged. */
function requireOurHeader(file: string): void {
  const header = Buffer.alloc(headerBytes);
  try {
    const descriptor = openSync(file, "r");
    readSync(descriptor, header, 0, headerBytes, 0);
    closeSync(descriptor);
  } catch (error) {
    throw fileFailure(error, `The database ${file} cannot be read`);
  }
  if (header.readUInt32BE(applicationIdAt) === applicationId) return;
  throw new StoreFailure(
    "not-a-database",
    `${file} does not begin like a venue of Gatewright, so it was not removed. If it is yours to remove, do so by hand.`,
  );
}

/** The lock is asked for before anything is read, so damage does not hide a process that has it. */
function requireFree(file: string): void {
  try {
    const db = openToRead(file);
    try {
      db.pragma("schema_version");
    } finally {
      db.close();
    }
  } catch (error) {
    const failure = storeFailureFrom(error, { file, doing: "while its lock was asked for" });
    if (!(failure instanceof StoreFailure) || failure.kind !== "busy") return;
    throw new StoreFailure(
      "busy",
      `${file} is in use by a running process. Stop it first; nothing was removed.`,
    );
  }
}

function evidenceOf(file: string): readonly string[] {
  const begins = `${path.basename(file)}.violation-`;
  const folder = path.dirname(file);
  return readdirSync(folder)
    .filter((name) => name.startsWith(begins))
    .map((name) => path.join(folder, name));
}
