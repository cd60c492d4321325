/**
 * Which claim each route asks for (F-route-claims). A route with several claims accepts any one of them;
 * claims do not imply each other (F-claim-implication). `null` stands for a route that is open to all.
 */
import type { Claim } from "../domain/account.ts";
import { CLAIMS } from "../domain/account.ts";
import { err, ok, type Result } from "../domain/result.ts";

/** Method, blank, path relative to the base address; parameters in braces. */
export type RouteName = `${string} /${string}`;
export type ClaimTable = ReadonlyMap<string, readonly Claim[] | null>;

const MARKET_DATA: readonly Claim[] = ["read:market-data"];
const ORDERS: readonly Claim[] = ["read:orders"];
const TRADING: readonly Claim[] = ["write:orders"];
const ACCOUNT: readonly Claim[] = ["read:account"];

const DEFAULTS: readonly (readonly [RouteName, readonly Claim[] | null])[] = [
  ["POST /order", TRADING],
  ["DELETE /order/{id}", TRADING],
  ["POST /order/{id}/cancel", TRADING],
  ["GET /order/open", ORDERS],
  ["GET /order", ORDERS],
  ["GET /order/{id}", ORDERS],
  ["GET /product", MARKET_DATA],
  ["GET /product/pairs", MARKET_DATA],
  ["GET /product/{product}", MARKET_DATA],
  ["GET /product/{product}/candles", MARKET_DATA],
  ["GET /order-book/{product}", MARKET_DATA],
  ["GET /asset", ["read:market-data", "read:account"]],
  ["GET /asset/{symbol}", ["read:market-data", "read:account"]],
  ["GET /wallet", ACCOUNT],
  ["GET /wallet/deposit-address", ACCOUNT],
  ["POST /wallet/deposit-address", ACCOUNT],
  ["GET /wallet/deposits", ACCOUNT],
  ["GET /wallet/deposits/{id}", ACCOUNT],
  ["GET /account/fee", ACCOUNT],
  ["GET /account/settings", ACCOUNT],
  ["GET /health/live", null],
  ["GET /health/ready", null],
];

export const DEFAULT_CLAIMS: ClaimTable = new Map(DEFAULTS);

/**
 * Lays a configuration's `claims:` map over the defaults. The error is a sentence for the person who wrote
 * the map.
 */
export function claimTable(
  overrides: Readonly<Record<string, string | readonly string[]>>,
): Result<ClaimTable, string> {
  const table = new Map(DEFAULT_CLAIMS);
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
      return err(`claims: "${route}" asks for "${unknown}"; the claims are ${CLAIMS.join(", ")}`);
    if (claims.length === 0) return err(`claims: "${route}" needs at least one claim`);
    table.set(route, claims);
  }
  return ok(table);
}

const isClaim = (name: string): name is Claim => CLAIMS.some((claim) => claim === name);

/** Whether a caller with these claims may use a route that accepts any of `accepted`. */
export const mayCall = (held: readonly Claim[], accepted: readonly Claim[]): boolean =>
  accepted.some((claim) => held.includes(claim));
