import { type ClaimedLevel, type ClauseRegister, partsOf } from "./clause.ts";
import type { CaseRow } from "./scenario.ts";

/**
 * Does a run of this level answer for the row? The selection, the certificate and the properties all ask here. A row
 * that goes deeper than its clauses belongs to the level that it names; clauses of somebody's own belong to every level.
 */
export function isOfLevel(
  { spec, certificate }: Pick<CaseRow, "spec" | "certificate">,
  level: ClaimedLevel,
  register: ClauseRegister,
): boolean {
  const parts = partsOf(level);
  if (certificate !== undefined && !parts.includes(certificate)) return false;
  return spec.some((id) => id.startsWith("X-") || parts.includes(register.get(id)?.certificate ?? "core"));
}
