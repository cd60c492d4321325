/** Evidence of a violated invariant, kept beside the database. */
import { writeFileSync } from "node:fs";

/** Path of the file, or null when it could not be written (or the venue lives in memory). */
export function keepEvidence(database: string, evidence: { readonly seq: number }): string | null {
  if (database === ":memory:") return null;
  const file = `${database}.violation-${evidence.seq}.json`;
  try {
    writeFileSync(file, `${JSON.stringify(evidence, null, 2)}\n`, { mode: 0o600, flag: "wx" });
    return file;
  } catch {
    return null;
  }
}
