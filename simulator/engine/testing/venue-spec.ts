/**
 * A small venue in the words of a person: decimals as strings. The engine's world is built from it with whole numbers,
 * the reference venue reads it unchanged.
 */

import type { FeeModel, ProductRules } from "../../domain/account.ts";
import { lots, units } from "../../domain/amount.ts";
import type { Asset, Network, Product } from "../../domain/market.ts";
import type { FeeRates } from "../../domain/order.ts";
import { defaultSettings, type Settings } from "../../domain/settings.ts";
import type { ClientSeed, World } from "../../domain/world.ts";
import { decimal, wholeAt } from "./exact.ts";

export interface AssetSpec {
  readonly symbol: string;
  readonly precision?: number;
  readonly feeScale?: number;
  readonly networks?: readonly Network[];
}

export interface ProductSpec {
  readonly id: string;
  readonly priceIncrement: string;
  readonly baseIncrement: string;
  readonly reference: string;
  readonly exchangeMinSize?: string;
  readonly exchangeMaxSize?: string;
  readonly exchangeQuoteMinSize?: string;
  readonly exchangeQuoteMaxSize?: string;
  readonly minOrderSize?: string;
  readonly maxOrderSize?: string;
}

export interface RatesSpec {
  readonly maker: string;
  readonly taker: string;
  readonly exchangeMaker?: string;
  readonly exchangeTaker?: string;
}

export interface ClientSpec {
  readonly name: string;
  readonly model?: FeeModel;
  readonly rates: RatesSpec;
  readonly balances: Readonly<Record<string, string>>;
}

export interface VenueSpec {
  readonly seed?: number;
  readonly assets: readonly AssetSpec[];
  readonly products: readonly ProductSpec[];
  readonly clients: readonly ClientSpec[];
  readonly settings?: Partial<Settings>;
}

/** 1 January 2026, a round minute. */
export const start = Date.UTC(2026, 0, 1);

export const decimalsOf = (text: string): number => decimal(text).decimalPlaces();
export const baseOf = (id: string): string => id.slice(0, id.indexOf("-"));
export const quoteOf = (id: string): string => id.slice(id.indexOf("-") + 1);

/** Digits that the ledger carries of an asset: enough for every value that can arise. */
export function ledgerScaleOf(asset: AssetSpec, products: readonly ProductSpec[]): number {
  const needed = products.map((product) => {
    const quantity = decimalsOf(product.baseIncrement);
    if (quoteOf(product.id) === asset.symbol) return quantity + decimalsOf(product.priceIncrement);
    return baseOf(product.id) === asset.symbol ? quantity : 0;
  });
  return Math.max(asset.precision ?? 8, asset.feeScale ?? 8, ...needed);
}

export function worldOf(spec: VenueSpec): World {
  const assets = spec.assets.map((asset, index) => buildAsset(spec, asset, index));
  const products = spec.products.map((product, index) => buildProduct(product, index, assets));
  return {
    seed: spec.seed ?? 1,
    startAt: start,
    assets,
    products,
    apiDisabled: new Set(),
    clients: spec.clients.map((client) => buildClient(client, assets)),
    keys: [],
    disabledKeys: new Set(),
    settings: { ...defaultSettings, ...spec.settings },
    faults: [],
    liquidity: [],
    canonical: "{}",
    digest: "0".repeat(64),
  };
}

function buildAsset(spec: VenueSpec, asset: AssetSpec, index: number): Asset {
  return {
    index,
    symbol: asset.symbol,
    name: asset.symbol,
    scale: ledgerScaleOf(asset, spec.products),
    precision: asset.precision ?? 8,
    feeScale: asset.feeScale ?? 8,
    networks: asset.networks ?? [],
  };
}

function buildProduct(spec: ProductSpec, index: number, assets: readonly Asset[]): Product {
  const base = assetOf(assets, baseOf(spec.id));
  const quote = assetOf(assets, quoteOf(spec.id));
  const priceScale = decimalsOf(spec.priceIncrement);
  const lotScale = decimalsOf(spec.baseIncrement);
  const steps = (text: string, increment: string): number => decimal(text).div(increment).toNumber();
  const size = (text: string | undefined): ProductRules["minOrderSize"] =>
    text === undefined ? null : lots(steps(text, spec.baseIncrement));
  const value = (text: string | undefined): ProductRules["minQuoteValue"] =>
    text === undefined ? null : units(wholeAt(decimal(text), quote.scale));
  return {
    index,
    id: spec.id,
    exchangeProductId: spec.id,
    base,
    quote,
    priceScale,
    tickUnit: Number(wholeAt(decimal(spec.priceIncrement), priceScale)),
    lotScale,
    lotUnit: Number(wholeAt(decimal(spec.baseIncrement), lotScale)),
    unitsPerTickLot: wholeAt(decimal(spec.priceIncrement).times(spec.baseIncrement), quote.scale),
    unitsPerLot: wholeAt(decimal(spec.baseIncrement), base.scale),
    exchangeMinSize: size(spec.exchangeMinSize),
    exchangeMaxSize: size(spec.exchangeMaxSize),
    exchangeQuoteMinSize: value(spec.exchangeQuoteMinSize),
    exchangeQuoteMaxSize: value(spec.exchangeQuoteMaxSize),
    minOrderSize: size(spec.minOrderSize),
    maxOrderSize: size(spec.maxOrderSize),
    referencePrice: steps(spec.reference, spec.priceIncrement),
  };
}

function buildClient(spec: ClientSpec, assets: readonly Asset[]): ClientSeed {
  const balances = new Map<number, ReturnType<typeof units>>();
  for (const [symbol, text] of Object.entries(spec.balances)) {
    const asset = assetOf(assets, symbol);
    balances.set(asset.index, units(wholeAt(decimal(text), asset.scale)));
  }
  return {
    name: spec.name,
    feeModel: spec.model ?? "ALL_IN",
    rates: ratesOf(spec.rates),
    balances,
    rules: new Map(),
  };
}

export function ratesOf(rates: RatesSpec): FeeRates {
  const rate = (text: string | undefined): bigint => wholeAt(decimal(text ?? "0"), 10);
  return {
    makerCommission: rate(rates.maker),
    takerCommission: rate(rates.taker),
    makerExchange: rate(rates.exchangeMaker),
    takerExchange: rate(rates.exchangeTaker),
  };
}

export function assetOf(assets: readonly Asset[], symbol: string): Asset {
  const asset = assets.find((candidate) => candidate.symbol === symbol);
  if (asset === undefined) throw new RangeError(`the venue has no asset ${symbol}`);
  return asset;
}
