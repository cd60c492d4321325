/** Errors of PostgreSQL as failures of the store. */
import { StoreFailure, type StoreFailureKind, type StoreOutcome } from "../../sequencer/store-failure.ts";

/** Classes of SQLSTATE whose errors end a transaction by rolling it back. Of all others, the outcome is unknown. */
const rolledBack = ["22", "23", "25006", "40", "42", "53", "55"];

const kinds: readonly (readonly [state: string, kind: StoreFailureKind])[] = [
  ["53100", "full"],
  ["25006", "readonly"],
  ["22", "other"],
  ["23", "other"],
  ["42", "other"],
];

/** `isCommit`: the statement may have been committed although it failed. */
export function failureOf(error: unknown, doing: string, isCommit: boolean): StoreFailure {
  if (error instanceof StoreFailure) return error;
  const state = error instanceof Error && "code" in error ? String(error.code) : "";
  const isRolledBack = !isCommit || rolledBack.some((known) => state.startsWith(known));
  const outcome: StoreOutcome = isRolledBack ? "none" : "unknown";
  const kind = kinds.find(([known]) => state.startsWith(known))?.[1] ?? "io";
  const found = error instanceof Error ? error.message : String(error);
  return new StoreFailure(kind, `PostgreSQL failed ${doing} (${found}).`, { outcome, cause: error });
}
