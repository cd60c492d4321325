/**
 * The file as the operating system sees it, before SQLite does.
 *
 * SQLite is helpful where a venue must not be: it follows links, makes a new database where one was deleted,
 * and throws away a log whose database is gone. Each of these is refused here, without having opened
 * anything.
 */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  fsyncSync,
  lstatSync,
  openSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
} from "node:fs";
import path from "node:path";
import { StoreFailure } from "../sequencer/store-failure.ts";

export interface DatabaseFile {
  /** Absolute, links resolved. */
  readonly path: string;
  readonly mark: string;
  /** `empty` is a file of no bytes, as `mktemp` makes it. */
  readonly state: "absent" | "empty" | "filled";
}

export const walOf = (file: string): string => `${file}-wal`;
export const shmOf = (file: string): string => `${file}-shm`;
export const markOf = (file: string): string => `${file}.mark`;

/** The command that removes a venue, ready to paste. */
export const resetCommand = (file: string): string =>
  `gatewright reset --db ${/^[\w./:\\@%+=,-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`}`;

/** Finds the file, or says why it cannot be a venue's. Touches nothing. */
export function locateDatabase(given: string): DatabaseFile {
  const { file, folder, found } = lookFor(given);
  for (const side of [walOf(file), markOf(file)]) refuseLink(side);
  for (const each of [file, walOf(file), markOf(file)]) refuseSecondName(each);
  requireAccess(folder, constants.W_OK | constants.X_OK, `The folder ${folder}`);
  if (found !== undefined) requireAccess(file, constants.R_OK | constants.W_OK, `The database ${file}`);
  const state = stateOf(found);
  if (state !== "filled") refuseOrphanLog(file, state);
  return { path: file, mark: markOf(file), state };
}

/** The same for readers: a file that holds something, without a check of what may be written. */
export function locateToRead(given: string): DatabaseFile {
  const { file, found } = lookFor(given);
  const state = stateOf(found);
  if (state === "filled") return { path: file, mark: markOf(file), state };
  const what = state === "absent" ? "There is no database" : "The database is empty:";
  throw new StoreFailure("other", `${what} ${file}. Name the file of a venue with --db.`);
}

const stateOf = (found: Stats | undefined): DatabaseFile["state"] =>
  found === undefined ? "absent" : found.size === 0 ? "empty" : "filled";

interface Found {
  readonly file: string;
  readonly folder: string;
  readonly found: Stats | undefined;
}

/** Where a name leads to, and what is there. */
export function lookFor(given: string): Found {
  const named = path.resolve(given);
  // The driver trims names, so it would open another file than the one that was looked at.
  if (named !== named.trim()) {
    throw new StoreFailure(
      "other",
      `The file name "${named}" ends with a blank. Choose another name with --db.`,
    );
  }
  const folder = requireFolder(named);
  const file = resolveLink(named, folder);
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile()) {
    throw new StoreFailure("other", `${file} is not a regular file. Choose a file with --db.`);
  }
  return { file, folder, found };
}

/** A file that lies beside a database and holds what it holds: no link, and under one name. Undefined if it is not there. */
export function plainFile(side: string): Stats | undefined {
  refuseLink(side);
  refuseSecondName(side);
  const found = lstatSync(side, { throwIfNoEntry: false });
  if (found?.isFile() === false) throw new StoreFailure("other", `${side} is not a regular file. Remove it.`);
  return found;
}

/** The same for a writer: it becomes readable by its owner only, and is made where it is not there and is to be. */
export function requirePrivate(side: string, make = false): void {
  const found = plainFile(side);
  if (found === undefined && make) createDatabaseFile(side);
  if (found !== undefined && (found.mode & 0o077) !== 0) chmodSync(side, 0o600);
}

/** Makes the empty file, readable by its owner only. SQLite gives its log the same mode. */
export function createDatabaseFile(file: string): void {
  try {
    closeSync(openSync(file, "wx", 0o600));
  } catch (error) {
    throw fileFailure(error, `The database ${file} could not be created`);
  }
  syncFolder(path.dirname(file));
}

/**
 * Deletes a venue that is closed: the first half of a reset. The mark goes first: a crash in between leaves a
 * venue that still starts, not one that is refused because its entries are gone.
 */
export function removeVenueFiles(given: string): void {
  for (const each of venueFilesOf(path.resolve(given))) rmSync(each, { force: true });
}

export const venueFilesOf = (file: string): readonly string[] => [
  markOf(file),
  file,
  walOf(file),
  shmOf(file),
  exchangesOf(file),
  walOf(exchangesOf(file)),
  shmOf(exchangesOf(file)),
];

/** The exchange log of a venue: a record for the person at work, which no recovery needs. */
export const exchangesOf = (file: string): string => `${file}-exchanges`;

/** A new name is durable only when its folder is. Windows has no such call and needs none. */
export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

const denied = [
  "readonly",
  "permission is denied",
  "Make the file and its folder readable and writable for this user, or choose another file with --db.",
] as const;
const room = "Free some space, then start again.";

/** The meaning of a refusal by the operating system, and the remedy. */
const refusals: Readonly<
  Record<string, readonly [kind: "readonly" | "full" | "io", reason: string, advice: string]>
> = {
  EACCES: denied,
  EPERM: denied,
  EROFS: ["readonly", "the file system is read-only", "Choose a file on another one with --db."],
  ENOSPC: ["full", "the disk is full", room],
  EDQUOT: ["full", "the space that this user may take is used up", room],
  ENOENT: [
    "io",
    "there is no such file or folder",
    "Check the spelling and from which folder the path counts, or make the folder first.",
  ],
  ENOTDIR: [
    "io",
    "a part of the path is a file and not a folder",
    "Check the path, or choose another file with --db.",
  ],
  ELOOP: ["io", "links lead in a circle", "Name the file itself with --db."],
  ENAMETOOLONG: ["io", "the path is longer than the system allows", "Choose a shorter one with --db."],
  EMFILE: ["io", "this process has too many open files", "Raise the limit (ulimit -n), then start again."],
  EIO: [
    "io",
    "the disk did not answer as it should",
    "Look at the disk and at the log of the system before you start again.",
  ],
};

/** A refusal of the operating system as a `StoreFailure`, in words, with what to do about it. */
export function fileFailure(error: unknown, what: string): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  // The system's own sentence begins with the code.
  const [kind, reason, advice] = refusals[String(error.code)] ?? [
    "io",
    error.message.replace(/^[A-Z_]+: /, ""),
    "Check the path and the disk, or choose another file with --db.",
  ];
  return new StoreFailure(kind, `${what}: ${reason}. ${advice}`, { cause: error });
}

function requireFolder(named: string): string {
  const folder = path.dirname(named);
  try {
    const real = realpathSync(folder);
    if (statSync(real).isDirectory()) return real;
  } catch (error) {
    throw fileFailure(error, `The folder ${folder} of the database cannot be used`);
  }
  throw new StoreFailure("io", `${folder} is not a folder. Choose another file with --db.`);
}

/** A link may rename a database inside its folder; it may not lead the venue to a file of someone else. */
function resolveLink(named: string, folder: string): string {
  const file = path.join(folder, path.basename(named));
  if (lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return file;
  let target: string;
  try {
    target = realpathSync(file);
  } catch (error) {
    throw fileFailure(error, `The database ${file} is a link that leads nowhere`);
  }
  if (path.dirname(target) === folder) return target;
  throw new StoreFailure(
    "other",
    `The database ${file} is a link that leaves its folder, to ${target}. Name that file itself with --db.`,
  );
}

function refuseLink(side: string): void {
  if (lstatSync(side, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new StoreFailure(
    "other",
    `${side} is a link, and a venue writes to it. Remove it, or choose another file with --db.`,
  );
}

/**
 * The log and the mark lie beside the name that the venue was started by. Under its other name the same database looks
 * like one that has lost both.
 */
function refuseSecondName(file: string): void {
  const names = lstatSync(file, { throwIfNoEntry: false })?.nlink ?? 1;
  if (names <= 1) return;
  throw new StoreFailure(
    "other",
    `${file} has ${names} names on this disk (hard links), and a venue keeps its log and its mark beside one name ` +
      "only: under another name entries would be missing. Remove the other names, or make a real copy of the closed " +
      "venue and name that with --db.",
  );
}

function refuseOrphanLog(file: string, state: "absent" | "empty"): void {
  const wal = walOf(file);
  if ((statSync(wal, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw new StoreFailure(
    "gap",
    `The database ${file} is ${state === "absent" ? "missing" : "empty"} while its log ${wal} is not: ` +
      "entries were lost, " +
      "and a start would erase the log too. Restore both files, or move the log away to start afresh.",
  );
}

function requireAccess(target: string, mode: number, what: string): void {
  try {
    accessSync(target, mode);
  } catch (error) {
    throw fileFailure(error, `${what} cannot be written to`);
  }
}
