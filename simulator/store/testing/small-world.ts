/** A world of two assets, one product and two clients: just enough for the store. */
import { type Lots, units } from "../../domain/amount.ts";
import type { Asset, Product } from "../../domain/market.ts";
import { DEFAULT_SETTINGS } from "../../domain/settings.ts";
import type { World } from "../../domain/world.ts";

const asset = (index: number, symbol: string, scale: number): Asset => ({
  index,
  symbol,
  name: symbol,
  scale,
  precision: scale,
  feeScale: scale,
  networks: [],
});

const BTC = asset(0, "BTC", 8);
const USD = asset(1, "USD", 10);
const NO_LIMIT: Lots | null = null;

const PRODUCT: Product = {
  index: 0,
  id: "BTC-USD",
  exchangeProductId: "BTC-USD",
  base: BTC,
  quote: USD,
  priceScale: 2,
  tickUnit: 5,
  lotScale: 6,
  lotUnit: 1,
  unitsPerTickLot: 500n,
  unitsPerLot: 100n,
  exchangeMinSize: NO_LIMIT,
  exchangeMaxSize: NO_LIMIT,
  exchangeQuoteMinSize: null,
  exchangeQuoteMaxSize: null,
  minOrderSize: NO_LIMIT,
  maxOrderSize: NO_LIMIT,
  referencePrice: 1_200_000,
};

const NO_RATES = { makerCommission: 0n, takerCommission: 0n, makerExchange: 0n, takerExchange: 0n };

export const SMALL_WORLD: World = {
  seed: 1,
  startAt: 1_750_000_000_000,
  assets: [BTC, USD],
  products: [PRODUCT],
  apiDisabled: new Set(),
  clients: [
    {
      name: "alice",
      feeModel: "ALL_IN",
      rates: NO_RATES,
      balances: new Map([
        [0, units(150_000_000n)],
        // More than 64 bits hold.
        [1, units(10n ** 20n)],
      ]),
      rules: new Map(),
    },
    {
      name: "bob",
      feeModel: "ALL_IN",
      rates: NO_RATES,
      balances: new Map([[1, units(5n)]]),
      rules: new Map(),
    },
  ],
  keys: ["reader", "writer"].map((name) => ({ name, keyId: name, secret: name, client: 0, claims: [] })),
  disabledKeys: new Set(),
  settings: DEFAULT_SETTINGS,
  faults: [],
  liquidity: [],
  canonical: '{"name":"small"}',
  digest: "5a".repeat(32),
};
