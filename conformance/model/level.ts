import { type ClaimedLevel, type ClauseRegister, partsOf } from "./clause.ts";
import type { CaseRow } from "./scenario.ts";

/**
 * Is the row in the scope of a run of this level? The selection, the certificate and the properties all use this
 * function. A row that tests more than its clauses ask for belongs to the level that it names; rows of user-defined
 * clauses belong to every level.
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
