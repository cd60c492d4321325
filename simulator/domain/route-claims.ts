/** The trading routes and the claim that each asks for (F-route-claims); null: open to all, unsigned. */
import type { Claim } from "./account.ts";

/** Method, blank, path relative to the base address; parameters in braces. */
export type RouteName = `${string} /${string}`;

const MARKET_DATA: readonly Claim[] = ["read:market-data"];
const ORDERS: readonly Claim[] = ["read:orders"];
const TRADING: readonly Claim[] = ["write:orders"];
const ACCOUNT: readonly Claim[] = ["read:account"];

export const ROUTE_CLAIMS: readonly (readonly [RouteName, readonly Claim[] | null])[] = [
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

/** The routes that a fault rule can name. */
export const SIGNED_ROUTES: readonly string[] = ROUTE_CLAIMS.flatMap(([route, claims]) =>
  claims === null ? [] : [route],
);
