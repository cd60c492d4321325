/** Every trading route, in the order of the documentation. */
import type { Route } from "../route.ts";
import { ACCOUNT_ROUTES } from "./accounts.ts";
import { MARKET_DATA_ROUTES } from "./market-data.ts";
import { ORDER_ROUTES } from "./orders.ts";
import { placeOrder } from "./place-order.ts";

export const TRADING_ROUTES: readonly Route[] = [
  placeOrder,
  ...ORDER_ROUTES,
  ...MARKET_DATA_ROUTES,
  ...ACCOUNT_ROUTES,
];
