/**
 * The world that `gatewright serve` starts with. `fixtures/worlds/demo.yaml` is the same world as a commented
 * file; a test proves that both have one digest. It is an object so that a start needs neither the YAML
 * parser nor the schema.
 */
import { allClaims, type Claim } from "../domain/account.ts";
import type { AssetEntry, ClientEntry, KeyEntry, ProductEntry, WorldFile } from "./schema.ts";

type NetworkEntry = NonNullable<AssetEntry["networks"]>[number];

const network = (id: string, name: string, more: Partial<NetworkEntry>): NetworkEntry => ({
  id,
  name,
  ...more,
});

const assets: AssetEntry[] = [
  { symbol: "USD", name: "US dollar", precision: 2 },
  { symbol: "EUR", name: "Euro", precision: 2 },
  {
    symbol: "BTC",
    name: "Bitcoin",
    networks: [
      network("bitcoin-mainnet", "Bitcoin", { minDepositAmount: "0.0001", addressPrefix: "bc1qsim" }),
    ],
  },
  {
    symbol: "ETH",
    name: "Ether",
    networks: [
      network("ethereum-mainnet", "Ethereum", {
        isDefault: true,
        maxDecimals: 18,
        minDepositAmount: "0.001",
        confirmationsRequired: 12,
        addressPrefix: "0x51a1",
      }),
      network("base-mainnet", "Base", {
        maxDecimals: 18,
        minDepositAmount: "0.0001",
        confirmationsRequired: 20,
        addressPrefix: "0x51ab",
      }),
    ],
  },
  {
    symbol: "SOL",
    name: "Solana",
    networks: [
      network("solana-mainnet", "Solana", {
        maxDecimals: 9,
        minDepositAmount: "0.01",
        confirmationsRequired: 32,
        addressPrefix: "SimSo1",
      }),
    ],
  },
  {
    symbol: "SHIB",
    name: "Shiba Inu",
    precision: 2,
    feeScale: 2,
    networks: [
      network("ethereum-mainnet", "Ethereum", {
        maxDecimals: 18,
        minDepositAmount: "10000",
        confirmationsRequired: 12,
        addressPrefix: "0x51a1",
      }),
    ],
  },
  {
    symbol: "DOGE",
    name: "Dogecoin",
    networks: [
      network("dogecoin-mainnet", "Dogecoin", {
        depositEnabled: false,
        minDepositAmount: "5",
        confirmationsRequired: 40,
        addressPrefix: "DSim",
      }),
    ],
  },
  {
    symbol: "XRP",
    name: "XRP",
    precision: 6,
    feeScale: 6,
    networks: [
      network("ripple-mainnet", "XRP Ledger", {
        maxDecimals: 6,
        minDepositAmount: "1",
        accountIdentifierName: "destination_tag",
        confirmationsRequired: 1,
        addressPrefix: "rSim",
      }),
    ],
  },
];

/**
 * Increments, then exchange sizes, exchange values and order sizes as pairs of smallest and largest, then the
 * price.
 */
function product(
  id: string,
  increments: Pair,
  sizes: Pair,
  values: Pair,
  orders: Pair,
  price: string,
): ProductEntry {
  return {
    id,
    baseIncrement: increments[0],
    priceIncrement: increments[1],
    exchangeMinSize: sizes[0],
    exchangeMaxSize: sizes[1],
    exchangeQuoteMinSize: values[0],
    exchangeQuoteMaxSize: values[1],
    minOrderSize: orders[0],
    maxOrderSize: orders[1],
    referencePrice: price,
  };
}

type Pair = readonly [string, string];

const satoshi = "0.00000001";

/** Three wandering markets at this pace write less than 20 MB a day. */
const walk: ProductEntry["liquidity"] = { mode: "walk", levels: 10, everyMs: 20_000 };

const products: ProductEntry[] = [
  {
    ...product(
      "BTC-USD",
      [satoshi, "0.01"],
      ["0.00001", "1000"],
      ["1", "50000000"],
      ["0.0001", "100"],
      "60000",
    ),
    liquidity: walk,
  },
  {
    ...product(
      "ETH-USD",
      [satoshi, "0.01"],
      ["0.0001", "10000"],
      ["1", "50000000"],
      ["0.001", "1000"],
      "3000",
    ),
    liquidity: walk,
  },
  {
    ...product(
      "SOL-USD",
      ["0.00001", "0.01"],
      ["0.001", "100000"],
      ["1", "10000000"],
      ["0.1", "10000"],
      "150",
    ),
    liquidity: walk,
  },
  product(
    "ETH-BTC",
    ["0.0001", "0.00001"],
    ["0.001", "10000"],
    ["0.00001", "1000"],
    ["0.001", "1000"],
    "0.05",
  ),
  product("BTC-EUR", [satoshi, "0.01"], ["0.00001", "1000"], ["1", "50000000"], ["0.0001", "100"], "55000"),
  product(
    "SHIB-USD",
    ["1", satoshi],
    ["1000", "100000000000"],
    ["1", "1000000"],
    ["1000000", "10000000000"],
    "0.00001234",
  ),
  {
    ...product(
      "DOGE-USD",
      ["0.1", "0.00001"],
      ["1", "10000000"],
      ["1", "1000000"],
      ["100", "1000000"],
      "0.12",
    ),
    apiEnabled: false,
  },
];

const balances = {
  USD: "100000000",
  EUR: "10000000",
  BTC: "1000",
  ETH: "10000",
  SOL: "100000",
  SHIB: "1000000000000",
  DOGE: "10000000",
};

const clients: ClientEntry[] = [
  {
    name: "alice",
    feeModel: "ALL_IN",
    makerRate: "0.0025",
    takerRate: "0.0025",
    balances,
    rules: { "BTC-USD": { minOrderSize: "0.0001", maxOrderSize: "10" } },
  },
  {
    name: "bob",
    feeModel: "COST_PLUS",
    makerRate: "0.0005",
    takerRate: "0.0005",
    exchangeMakerRate: "0.001",
    exchangeTakerRate: "0.002",
    balances,
  },
  { name: "carol", feeModel: "ALL_IN", makerRate: "0.001", takerRate: "0.0015", balances },
];

const key = (name: string, client: string | null, claims: readonly Claim[]): KeyEntry => ({
  name,
  keyId: `gw_demo_${name.replaceAll("-", "_")}`,
  client,
  claims: [...claims],
});

const keys: KeyEntry[] = [
  key("trader", "alice", allClaims),
  key("reader", "alice", ["read:orders", "read:account", "read:market-data"]),
  key("other", "bob", allClaims),
  key("counterparty", "carol", allClaims),
  key("read-orders", "alice", ["read:orders"]),
  key("write-orders", "alice", ["write:orders"]),
  key("read-account", "alice", ["read:account"]),
  key("market-data", "alice", ["read:market-data"]),
  key("orphan", null, allClaims),
  { ...key("disabled", "alice", allClaims), enabled: false },
];

export const demoWorld: WorldFile = { assets, products, clients, keys };
