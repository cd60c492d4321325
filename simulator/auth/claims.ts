/**
 * The claim that each route requires (F-route-claims). A route with several claims accepts any one of them;
 * claims do not imply each other (F-claim-implication). `null` marks a route that is open to all.
 */
import type { Claim } from "../domain/account.ts";
import { allClaims } from "../domain/account.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { routeClaims } from "../domain/route-claims.ts";

export type ClaimTable = ReadonlyMap<string, readonly Claim[] | null>;

export const defaultClaims: ClaimTable = new Map(routeClaims);

/**
 * Lays a configuration's `claims:` map over the defaults. The error is a sentence for the person who wrote
 * the map.
 */
export function claimTable(
  overrides: Readonly<Record<string, string | readonly string[]>>,
): Result<ClaimTable, string> {
  const table = new Map(defaultClaims);
  for (const [route, wanted] of Object.entries(overrides)) {
    const known = table.get(route);
    if (known === undefined)
      return err(`claims: there is no route "${route}"; the routes are ${[...table.keys()].join(", ")}`);
    if (known === null)
      return err(`claims: "${route}" takes unsigned requests, so it cannot ask for a claim`);
    const names = typeof wanted === "string" ? [wanted] : wanted;
    const claims = names.filter(isClaim);
    const unknown = names.find((name) => !isClaim(name));
    if (unknown !== undefined)
      return err(`claims: "${route}" asks for "${unknown}"; the claims are ${allClaims.join(", ")}`);
    if (claims.length === 0) return err(`claims: "${route}" needs at least one claim`);
    table.set(route, claims);
  }
  return ok(table);
}

const isClaim = (name: string): name is Claim => allClaims.some((claim) => claim === name);

/** Whether a caller with these claims may use a route that accepts any of `accepted`. */
export const mayCall = (held: readonly Claim[], accepted: readonly Claim[]): boolean =>
  accepted.some((claim) => held.includes(claim));
