/**
 * A world in plain words for the header of a venue's file: names instead of indexes, decimals instead of
 * units, no secrets. Everything that the engine depends on is in it, and nothing else: its digest changes
 * exactly when a journal could no longer be replayed in this world. Server settings, the clock mode and
 * secrets may change between two starts.
 */
import type { ApiKey, ProductRules } from "../domain/account.ts";
import { formatScaled } from "../domain/decimal-text.ts";
import type { FaultRule } from "../domain/fault.ts";
import type { Asset, Product } from "../domain/market.ts";
import { rateScale } from "../domain/order.ts";
import type { ClientSeed, LiquidityPlan, World } from "../domain/world.ts";

export type WorldFacts = Omit<World, "canonical" | "digest"> & { readonly halted: ReadonlySet<number> };

export function describeWorld(world: WorldFacts): object {
  return {
    seed: world.seed,
    startAt: world.startAt,
    assets: world.assets.map(describeAsset),
    products: world.products.map((product) => ({
      ...describeProduct(product),
      apiEnabled: !world.apiDisabled.has(product.index),
      halted: world.halted.has(product.index),
    })),
    clients: world.clients.map((client) => describeClient(client, world)),
    keys: world.keys.map((key) => ({
      ...describeKey(key, world.clients),
      enabled: !world.disabledKeys.has(key.keyId),
    })),
    settings: { ...world.settings },
    faults: world.faults.map(describeFault),
    liquidity: world.liquidity.map(describeLiquidity),
  };
}

const describeAsset = (asset: Asset) => ({
  symbol: asset.symbol,
  name: asset.name,
  scale: asset.scale,
  precision: asset.precision,
  feeScale: asset.feeScale,
  networks: asset.networks.map((network) => ({ ...network })),
});

/** `value` is a whole number of `unit / 10^scale`. */
const decimal = (value: number | bigint | null, unit: number | bigint, scale: number): string | null =>
  value === null ? null : formatScaled(BigInt(value) * BigInt(unit), scale);

function describeProduct(product: Product) {
  const { lotUnit, lotScale, tickUnit, priceScale, quote } = product;
  return {
    id: product.id,
    exchangeProductId: product.exchangeProductId,
    baseIncrement: decimal(1, lotUnit, lotScale),
    priceIncrement: decimal(1, tickUnit, priceScale),
    exchangeMinSize: decimal(product.exchangeMinSize, lotUnit, lotScale),
    exchangeMaxSize: decimal(product.exchangeMaxSize, lotUnit, lotScale),
    exchangeQuoteMinSize: decimal(product.exchangeQuoteMinSize, 1, quote.scale),
    exchangeQuoteMaxSize: decimal(product.exchangeQuoteMaxSize, 1, quote.scale),
    minOrderSize: decimal(product.minOrderSize, lotUnit, lotScale),
    maxOrderSize: decimal(product.maxOrderSize, lotUnit, lotScale),
    referencePrice: decimal(product.referencePrice, tickUnit, priceScale),
  };
}

function describeClient(client: ClientSeed, world: WorldFacts) {
  const balances = world.assets.flatMap((asset) => {
    const balance = client.balances.get(asset.index);
    return balance === undefined ? [] : [[asset.symbol, formatScaled(balance, asset.scale)]];
  });
  const rules = world.products.flatMap((product) => {
    const given = client.rules.get(product.index);
    return given === undefined ? [] : [[product.id, describeRules(given, product)]];
  });
  return {
    name: client.name,
    feeModel: client.feeModel,
    makerRate: formatScaled(client.rates.makerCommission, rateScale),
    takerRate: formatScaled(client.rates.takerCommission, rateScale),
    exchangeMakerRate: formatScaled(client.rates.makerExchange, rateScale),
    exchangeTakerRate: formatScaled(client.rates.takerExchange, rateScale),
    balances: Object.fromEntries(balances) as object,
    rules: Object.fromEntries(rules) as object,
  };
}

const describeRules = (rules: ProductRules, product: Product) => ({
  enabled: rules.enabled,
  minOrderSize: decimal(rules.minOrderSize, product.lotUnit, product.lotScale),
  maxOrderSize: decimal(rules.maxOrderSize, product.lotUnit, product.lotScale),
  minQuoteValue: decimal(rules.minQuoteValue, 1, product.quote.scale),
  maxQuoteValue: decimal(rules.maxQuoteValue, 1, product.quote.scale),
});

const describeKey = (key: ApiKey, clients: readonly ClientSeed[]) => ({
  name: key.name,
  keyId: key.keyId,
  client: key.client === null ? null : (clients[key.client]?.name ?? null),
  claims: [...key.claims],
});

const describeFault = (rule: FaultRule) => ({ ...rule, fault: { ...rule.fault } });

const describeLiquidity = (plan: LiquidityPlan) => ({
  ...plan,
  trades: plan.trades.map((trade) => ({ ...trade })),
});
