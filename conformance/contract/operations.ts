import type { Operation } from "../model/profile.ts";

/**
 * The operations of the gateway. The specification fixes method and path of three and names only the purpose of the
 * others. A profile has to map those, or call them absent, before a case may use them.
 */
const base: Omit<Operation, "method" | "path"> = {
  auth: "signed",
  query: {},
  envelope: true,
  specified: true,
  order: ["#/data/order"],
  items: ["#/data"],
  bids: "#/data/bids",
  asks: "#/data/asks",
  wallet: { asset: "#/asset", balance: "#/balance", hold: "#/hold", available: "#/available" },
};

export const specifiedOperations: Readonly<Record<string, Operation>> = {
  placeOrder: { ...base, method: "POST", path: "/order" },
  openOrders: { ...base, method: "GET", path: "/order/open", order: ["#/data"] },
  products: { ...base, method: "GET", path: "/product", order: [] },
};

/** Operations with a name, but without a default mapping. */
export const unmappedOperations = [
  "cancelOrder",
  "readOrder",
  "listOrders",
  "orderBook",
  "ungroupedProducts",
  "candles",
  "assets",
  "wallets",
  "depositAddress",
  "depositAddresses",
  "deposits",
  "account",
  "accountSettings",
  "live",
  "ready",
] as const;

/** The names of values that the kit fills into the path of an operation. */
export const pathParameters: Readonly<Record<string, string>> = {
  cancelOrder: "id",
  readOrder: "id",
  orderBook: "product",
  candles: "product",
};

/** The canonical names of query parameters; the profile gives the target's spelling. */
const ofLists = ["product", "status", "side", "type", "clientOrderId", "sort", "limit", "cursor"];
export const queryParameters: Readonly<Record<string, readonly string[]>> = {
  openOrders: ofLists,
  listOrders: ofLists,
};

export const operationNames: readonly string[] = [...Object.keys(specifiedOperations), ...unmappedOperations];

/** The defaults of an operation for which the profile gives only method and path. */
export const mappedDefaults: Omit<Operation, "method" | "path"> = {
  ...base,
  specified: false,
  order: ["#/data", "#/data/order"],
};
