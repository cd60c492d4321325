/**
 * Errors of SQLite as failures of the store.
 *
 * Before COMMIT the outcome is always "none": SQLite never recovers frames without a commit record. An error *at*
 * COMMIT is "unknown": a batch whose fsync was reported as failed has been seen again after a restart.
 */
import { StoreFailure, type StoreFailureKind, type StoreOutcome } from "../sequencer/store-failure.ts";
import { driverPackage, SqliteError } from "./driver.ts";

/** The advice for a damaged venue. */
export const adviceToRestore =
  "Keep it as evidence and restore a copy that `gatewright backup` made, or choose another file with --db.";

/** The activity of the store, for the sentence of the failure. */
export interface Doing {
  readonly file: string;
  /** "while appending entry 12" */
  readonly doing: string;
  readonly outcome?: StoreOutcome;
}

const kinds: readonly (readonly [prefix: string, kind: StoreFailureKind])[] = [
  ["SQLITE_BUSY", "busy"],
  ["SQLITE_LOCKED", "busy"],
  ["SQLITE_FULL", "full"],
  ["SQLITE_IOERR", "io"],
  ["SQLITE_CANTOPEN", "io"],
  ["SQLITE_CORRUPT", "corrupt"],
  ["SQLITE_READONLY", "readonly"],
  ["SQLITE_PERM", "readonly"],
  ["SQLITE_NOTADB", "not-a-database"],
];

/** An error of SQLite, or of loading it, as a `StoreFailure`; a bug of ours (anything else) as it is. */
export function storeFailureFrom(error: unknown, { file, doing, outcome = "none" }: Doing): unknown {
  if (error instanceof StoreFailure) return error;
  if (isNativeLoadError(error)) return nativeLoadFailure(error);
  if (!(error instanceof SqliteError)) return error;
  const kind = kinds.find(([prefix]) => error.code.startsWith(prefix))?.[1] ?? "other";
  const after =
    outcome === "none"
      ? "Nothing of this batch was stored."
      : "Whether this batch was stored is unknown until the file is opened again.";
  const found = `${error.code}: ${error.message}`;
  return new StoreFailure(
    kind,
    `${sentence(kind, file, doing, found)} ${kind === "busy" ? "" : after}`.trimEnd(),
    {
      outcome,
      cause: error,
    },
  );
}

function sentence(kind: StoreFailureKind, file: string, doing: string, found: string): string {
  switch (kind) {
    case "busy":
      return (
        `The database ${file} is in use by another process, and a venue does not share its file. ` +
        "Stop the other process, or choose another file with --db."
      );
    case "full":
      return `There is no room left for the database ${file} ${doing} (${found}). ` + "Free some space.";
    case "io":
      return (
        `The disk refused to serve the database ${file} ${doing} (${found}). ` +
        "Check the disk, its quota and the limit on file sizes."
      );
    case "corrupt":
      return `The database ${file} is damaged, found ${doing} (${found}). ${adviceToRestore}`;
    case "readonly":
      return (
        `The database ${file} cannot be written to ${doing} (${found}). ` +
        "Make the file and its folder writable, or choose another file with --db."
      );
    case "not-a-database":
      return `The file ${file} is not an SQLite database (${found}). Choose another file with --db.`;
    default:
      return `The database ${file} failed ${doing} (${found}).`;
  }
}

/** better-sqlite3 loads its compiled half with the first database, so this is not an import error. */
function isNativeLoadError(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return (
    code === "ERR_DLOPEN_FAILED" ||
    code === "MODULE_NOT_FOUND" ||
    error.message.startsWith("Could not locate the bindings file")
  );
}

function nativeLoadFailure(error: Error): StoreFailure {
  const [firstLine = ""] = error.message.split("\n");
  return new StoreFailure(
    "other",
    `The SQLite driver ${driverPackage} was not built for this Node ${process.version} on ` +
      `${process.platform}-` +
      `${process.arch} (${firstLine}). Run \`npm rebuild ${driverPackage}\`, or \`npm ci\` in a checkout, ` +
      "and start again.",
    { cause: error },
  );
}
