/** Every trading route, in the order of the documentation. */
import type { Route } from "../route.ts";
import { accountRoutes } from "./accounts.ts";
import { marketDataRoutes } from "./market-data.ts";
import { orderRoutes } from "./orders.ts";
import { placeOrder } from "./place-order.ts";

export const tradingRoutes: readonly Route[] = [
  placeOrder,
  ...orderRoutes,
  ...marketDataRoutes,
  ...accountRoutes,
];
