import { isArray, type Json, JsonObject } from "../model/json.ts";
import { partsOf } from "./ask.ts";

/**
 * The usual spellings of an operation and the test that recognises its answer; `found` gives the keys of its mapping.
 */
export interface Candidate {
  readonly operation: string;
  readonly paths: readonly string[];
  /** Does it need a key that may read the account? */
  readonly ofAccount?: true;
  readonly signed?: boolean;
  readonly found: (json: Json | undefined) => Readonly<Record<string, string>> | undefined;
}

/** The first array whose elements pass. An empty array passes, too, because an account may have no entries. */
function list(test: (element: JsonObject) => boolean = () => true, mayBeEmpty = true) {
  return (json: Json | undefined): Record<string, string> | undefined => {
    for (const { pointer, value } of partsOf(json)) {
      if (!isArray(value)) continue;
      const [first] = value;
      const fits = first === undefined ? mayBeEmpty : first instanceof JsonObject && test(first);
      return fits ? { items: pointer } : undefined;
    }
    return undefined;
  };
}

const has =
  (...keys: readonly string[]) =>
  (element: JsonObject): boolean =>
    keys.some((key) => element.get(key) !== undefined);

function book(json: Json | undefined): Record<string, string> | undefined {
  for (const { pointer, value } of partsOf(json)) {
    if (!(value instanceof JsonObject)) continue;
    for (const [bids, asks] of [
      ["bids", "asks"],
      ["buy", "sell"],
    ] as const) {
      const levels = [value.get(bids), value.get(asks)];
      if (levels.every(isArray))
        return { bids: `${pointer}/${bids}`, asks: `${pointer}/${asks}`, ...levelNames(levels.flat()[0]) };
    }
  }
  return undefined;
}

/** The members of a level, if they have other names than price and quantity. */
function levelNames(level: Json | undefined): Record<string, string> {
  if (!(level instanceof JsonObject) || level.get("price") !== undefined) return {};
  const named = (names: readonly string[]): string | undefined =>
    names.find((name) => level.get(name) !== undefined);
  const [price, quantity] = [
    named(["p", "px", "rate"]),
    named(["q", "s", "sz", "qty", "size", "amount", "volume"]),
  ];
  return {
    ...(price === undefined ? {} : { price: `#/${price}` }),
    ...(quantity === undefined ? {} : { quantity: `#/${quantity}` }),
  };
}

function candles(json: Json | undefined): Record<string, string> | undefined {
  for (const { pointer, value } of partsOf(json)) {
    if (!isArray(value)) continue;
    const [first] = value;
    if (first === undefined) return { items: pointer };
    const named = first instanceof JsonObject && has("open", "o")(first) && has("close", "c")(first);
    return named || (isArray(first) && first.length >= 5) ? { items: pointer } : undefined;
  }
  return undefined;
}

const anObject = (json: Json | undefined): Record<string, string> | undefined => {
  const data = json instanceof JsonObject ? (json.get("data") ?? json) : undefined;
  return data instanceof JsonObject && data.entries.size > 0 ? {} : undefined;
};

/**
 * Read-only routes of the feature groups, the most likely spelling first. `{product}` is a pair that the target lists.
 */
export const candidates: readonly Candidate[] = [
  {
    operation: "listOrders",
    paths: ["/order", "/orders", "/order/history", "/order/all", "/order/list"],
    found: list(has("clientOrderId", "productId")),
  },
  {
    operation: "ungroupedProducts",
    paths: ["/product/pairs", "/products", "/product/list", "/product/all", "/product/ungrouped", "/pairs"],
    found: list((pair) => /^[^-]+-[^-]+$/.test(String(pair.get("id") ?? "")), false),
  },
  {
    operation: "orderBook",
    paths: [
      "/order-book/{product}",
      "/orderbook/{product}",
      "/order-book?product={product}",
      "/orderbook?product={product}",
      "/order-book?productId={product}",
      "/product/{product}/order-book",
      "/product/{product}/book",
      "/book/{product}",
      "/depth/{product}",
    ],
    found: book,
  },
  {
    operation: "candles",
    paths: [
      "/product/{product}/candles",
      "/product/{product}/candles?granularity=ONE_HOUR",
      "/product/{product}/candles?interval=1h",
      "/candles/{product}",
      "/candles?product={product}",
      "/product/candles?product={product}",
    ],
    found: candles,
  },
  {
    operation: "assets",
    ofAccount: true,
    paths: ["/asset", "/assets", "/account/assets", "/wallet/assets"],
    found: list(),
  },
  { operation: "wallets", ofAccount: true, paths: ["/wallet", "/wallets"], found: list() },
  {
    operation: "depositAddresses",
    ofAccount: true,
    paths: ["/wallet/deposit-address", "/wallet/deposit-addresses", "/wallet/address", "/wallet/addresses"],
    found: list(),
  },
  {
    operation: "deposits",
    ofAccount: true,
    paths: ["/wallet/deposits", "/wallet/deposit", "/deposits", "/deposit", "/wallet/deposit/history"],
    found: list(),
  },
  {
    operation: "account",
    ofAccount: true,
    paths: ["/account/fee", "/account/fees", "/account", "/fee"],
    found: anObject,
  },
  {
    operation: "accountSettings",
    ofAccount: true,
    paths: ["/account/settings", "/account/setting", "/settings"],
    found: anObject,
  },
  {
    operation: "live",
    signed: false,
    paths: ["/health/live", "../../../health/live", "../../../livez", "../../../health/liveness"],
    found: () => ({}),
  },
  {
    operation: "ready",
    signed: false,
    paths: ["/health/ready", "../../../health/ready", "../../../readyz", "../../../health/readiness"],
    found: () => ({}),
  },
];

/** Paths of streams. A plain GET on one is answered with 426, or with a header that asks for an upgrade. */
export const streamPaths = ["/ws", "/stream", "/websocket", "../../../ws", "../../../stream"] as const;

/** Paths of single orders; they can only be tested with the id of an existing order. */
export const orderPaths = ["/order/{id}", "/orders/{id}", "/order/id/{id}"] as const;

/** A path that no target has. */
export const noRoute = "/gatewright-no-such-route/{id}";
