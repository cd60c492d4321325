/** The trading routes and the claim that each asks for (F-route-claims); null: open to all, unsigned. */
import type { Claim } from "./account.ts";

/** Method, blank, path relative to the base address; parameters in braces. */
export type RouteName = `${string} /${string}`;

const marketData: readonly Claim[] = ["read:market-data"];
const orders: readonly Claim[] = ["read:orders"];
const trading: readonly Claim[] = ["write:orders"];
const account: readonly Claim[] = ["read:account"];

export const routeClaims: readonly (readonly [RouteName, readonly Claim[] | null])[] = [
  ["POST /order", trading],
  ["DELETE /order/{id}", trading],
  ["POST /order/{id}/cancel", trading],
  ["GET /order/open", orders],
  ["GET /order", orders],
  ["GET /order/{id}", orders],
  ["GET /product", marketData],
  ["GET /product/pairs", marketData],
  ["GET /product/{product}", marketData],
  ["GET /product/{product}/candles", marketData],
  ["GET /order-book/{product}", marketData],
  ["GET /asset", ["read:market-data", "read:account"]],
  ["GET /asset/{symbol}", ["read:market-data", "read:account"]],
  ["GET /wallet", account],
  ["GET /wallet/deposit-address", account],
  ["POST /wallet/deposit-address", account],
  ["GET /wallet/deposits", account],
  ["GET /wallet/deposits/{id}", account],
  ["GET /account/fee", account],
  ["GET /account/settings", account],
  ["GET /health/live", null],
  ["GET /health/ready", null],
];

/** The routes that a fault rule can name. */
export const signedRoutes: readonly string[] = routeClaims.flatMap(([route, claims]) =>
  claims === null ? [] : [route],
);
