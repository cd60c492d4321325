import { fixed } from "./amounts.ts";

export interface Product {
  readonly id: string;
  readonly base: string;
  readonly quote: string;
  readonly enabled: boolean;
  readonly quantityStep: bigint;
  readonly priceStep: bigint;
  /** Sizes that every client has to keep: base quantity, and money for a MARKET BUY. */
  readonly smallest: bigint;
  readonly largest: bigint;
  readonly leastSpend: bigint;
  readonly mostSpend: bigint;
  /** Where the house stands around: best to worst, and how much on each level. */
  readonly bids: readonly string[];
  readonly asks: readonly string[];
  readonly depth: string;
}

interface Row {
  steps: readonly [quantity: string, price: string];
  sizes: readonly [smallest: string, largest: string];
  spend: readonly [least: string, most: string];
  bids: readonly string[];
  asks: readonly string[];
  depth: string;
  enabled?: boolean;
}

function product(id: string, row: Row): Product {
  const [base = "", quote = ""] = id.split("-");
  return {
    id,
    base,
    quote,
    enabled: row.enabled ?? true,
    quantityStep: fixed(row.steps[0]),
    priceStep: fixed(row.steps[1]),
    smallest: fixed(row.sizes[0]),
    largest: fixed(row.sizes[1]),
    leastSpend: fixed(row.spend[0]),
    mostSpend: fixed(row.spend[1]),
    bids: row.bids,
    asks: row.asks,
    depth: row.depth,
  };
}

export const products: readonly Product[] = [
  product("BTC-USD", {
    steps: ["0.00000001", "0.01"],
    sizes: ["0.0002", "25"],
    spend: ["5", "1500000"],
    bids: ["49900", "49850", "49800", "49000"],
    asks: ["50100", "50150", "50200", "51000"],
    depth: "40",
  }),
  product("BTC-EUR", {
    steps: ["0.000001", "0.05"],
    sizes: ["0.0001", "30"],
    spend: ["4", "1400000"],
    bids: ["45900", "45850", "45000"],
    asks: ["46100", "46150", "47000"],
    depth: "50",
  }),
  product("LTC-USD", {
    steps: ["0.0001", "0.001"],
    sizes: ["0.01", "4000"],
    spend: ["1", "400000"],
    bids: ["79.9", "79.85", "79"],
    asks: ["80.1", "80.15", "81"],
    depth: "9000",
  }),
  product("LTC-BTC", {
    steps: ["0.001", "0.0000001"],
    sizes: ["0.01", "4000"],
    spend: ["0.0001", "6"],
    bids: ["0.001595", "0.00159", "0.0015"],
    asks: ["0.001605", "0.00161", "0.0017"],
    depth: "9000",
  }),
  product("XRP-USD", {
    steps: ["0.1", "0.0001"],
    sizes: ["1", "100000"],
    spend: ["1", "50000"],
    bids: ["0.49"],
    asks: ["0.51"],
    depth: "500000",
    enabled: false,
  }),
];

/** Two clients whose names begin alike: who compares beginnings mixes them up. */
export const clients = ["acct-7", "acct-71", "acct-40"] as const;
export const house = "house";

const every = ["read:orders", "write:orders", "read:account", "read:market-data"];
const reads = every.filter((claim) => claim !== "write:orders");

export interface Key {
  readonly id: string;
  readonly secret: string;
  readonly client: string | undefined;
  readonly claims: readonly string[];
  readonly revoked?: boolean;
}

const key = (id: string, client: string | undefined, claims = every): Key => ({
  id,
  secret: `not-secret-${id}-${"5eed".repeat(6)}`,
  client,
  claims,
});

/** By the kit's word for what a key can do. `second` is all that `trader` is, on a key of its own. */
export const keys = {
  trader: key("ak_live_01", "acct-7"),
  second: key("ak_live_02", "acct-7"),
  reader: key("ak_live_03", "acct-7", reads),
  readOrders: key("ak_live_04", "acct-7", ["read:orders"]),
  writeOrders: key("ak_live_05", "acct-7", ["write:orders"]),
  readAccount: key("ak_live_06", "acct-7", ["read:account"]),
  noClaim: key("ak_live_07", "acct-7", ["read:market-data"]),
  otherClient: key("ak_live_11", "acct-71"),
  counterparty: key("ak_live_21", "acct-40"),
  orphan: key("ak_live_31", undefined),
  revoked: { ...key("ak_live_08", "acct-7"), revoked: true },
} as const satisfies Readonly<Record<string, Key>>;

export type Role = keyof typeof keys;

export const opening: Readonly<Record<string, string>> = {
  USD: "900000000",
  EUR: "900000000",
  BTC: "40000",
  LTC: "4000000",
  XRP: "9000000",
};

/** The fee of a client for a trade, in the quote asset: a resting order pays less. A quarter of it is the exchange's. */
export const rates = { maker: fixed("0.0008"), taker: fixed("0.002"), exchangePart: fixed("0.25") };

/** First groups of a `client_order_id` with which a client can see failed outcomes. */
export const reservedFailures: Readonly<Record<string, string>> = {
  e0e00001: "EXTERNAL_EXECUTION_FAILED",
  e0e00002: "INTERNAL_EXECUTION_FAILED",
};
/** And one that the exchange refuses. */
export const reservedRefusal = "e0e00003";
