/** A world of two assets, one product and two clients: just enough for the store. */
import { type Lots, units } from "../../domain/amount.ts";
import type { Asset, Product } from "../../domain/market.ts";
import { defaultSettings } from "../../domain/settings.ts";
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

const btc = asset(0, "BTC", 8);
const usd = asset(1, "USD", 10);
const noLimit: Lots | null = null;

const product: Product = {
  index: 0,
  id: "BTC-USD",
  exchangeProductId: "BTC-USD",
  base: btc,
  quote: usd,
  priceScale: 2,
  tickUnit: 5,
  lotScale: 6,
  lotUnit: 1,
  unitsPerTickLot: 500n,
  unitsPerLot: 100n,
  exchangeMinSize: noLimit,
  exchangeMaxSize: noLimit,
  exchangeQuoteMinSize: null,
  exchangeQuoteMaxSize: null,
  minOrderSize: noLimit,
  maxOrderSize: noLimit,
  referencePrice: 1_200_000,
};

const noRates = { makerCommission: 0n, takerCommission: 0n, makerExchange: 0n, takerExchange: 0n };

export const smallWorld: World = {
  seed: 1,
  startAt: 1_750_000_000_000,
  assets: [btc, usd],
  products: [product],
  apiDisabled: new Set(),
  clients: [
    {
      name: "alice",
      feeModel: "ALL_IN",
      rates: noRates,
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
      rates: noRates,
      balances: new Map([[1, units(5n)]]),
      rules: new Map(),
    },
  ],
  keys: ["reader", "writer"].map((name) => ({ name, keyId: name, secret: name, client: 0, claims: [] })),
  disabledKeys: new Set(),
  settings: defaultSettings,
  faults: [],
  liquidity: [],
  canonical: '{"name":"small"}',
  digest: "5a".repeat(32),
};
