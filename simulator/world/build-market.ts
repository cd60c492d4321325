/** Assets, products and synthetic markets: from decimals to ticks, lots and units. */
import { type Lots, lots, pow10, type Units, units } from "../domain/amount.ts";
import { invariant } from "../domain/invariant.ts";
import type { Asset, Network, Product } from "../domain/market.ts";
import type { LiquidityPlan } from "../domain/world.ts";
import { worldDefaults } from "./defaults.ts";
import { type Increment, incrementOf, plainDecimal, unitsAt, wholeMultiples } from "./exact.ts";
import { defaultQuantity, defaultSpacing } from "./liquidity/default-plan.ts";
import type { RecordedTrade } from "./liquidity/read-trades.ts";
import { baseOf, ledgerScale, quoteOf } from "./scales.ts";
import type { RecordedTimes } from "./schema/market.ts";
import type { AssetEntry, ProductEntry } from "./schema.ts";

export function buildAsset(entry: AssetEntry, index: number, products: readonly ProductEntry[]): Asset {
  const networks = entry.networks ?? [];
  const marked = networks.findIndex((network) => network.isDefault === true);
  return {
    index,
    symbol: entry.symbol,
    name: entry.name,
    scale: ledgerScale(entry, products),
    precision: entry.precision ?? worldDefaults.asset.precision,
    feeScale: entry.feeScale ?? worldDefaults.asset.feeScale,
    networks: networks.map((network, at) => buildNetwork(network, at === Math.max(marked, 0))),
  };
}

type NetworkEntry = NonNullable<AssetEntry["networks"]>[number];

const buildNetwork = (entry: NetworkEntry, isDefault: boolean): Network => ({
  id: entry.id,
  name: entry.name,
  isDefault,
  maxDecimals: entry.maxDecimals ?? worldDefaults.network.maxDecimals,
  depositEnabled: entry.depositEnabled ?? worldDefaults.network.depositEnabled,
  minDepositAmount: plainDecimal(entry.minDepositAmount ?? worldDefaults.network.minDepositAmount),
  accountIdentifierName: entry.accountIdentifierName ?? null,
  confirmationsRequired: entry.confirmationsRequired ?? worldDefaults.network.confirmationsRequired,
  addressPrefix: entry.addressPrefix ?? `${entry.id}-sim-`,
});

export function buildProduct(
  entry: ProductEntry,
  index: number,
  assets: ReadonlyMap<string, Asset>,
): Product {
  const base = assets.get(baseOf(entry.id));
  const quote = assets.get(quoteOf(entry.id));
  invariant(
    base !== undefined && quote !== undefined,
    `${entry.id} trades an asset that the world does not have`,
  );
  const tick = incrementOf(entry.priceIncrement);
  const lot = incrementOf(entry.baseIncrement);
  return {
    index,
    id: entry.id,
    exchangeProductId: entry.exchangeProductId ?? entry.id,
    base,
    quote,
    priceScale: tick.scale,
    tickUnit: Number(tick.unit),
    lotScale: lot.scale,
    lotUnit: Number(lot.unit),
    unitsPerTickLot: tick.unit * lot.unit * pow10(quote.scale - tick.scale - lot.scale),
    unitsPerLot: lot.unit * pow10(base.scale - lot.scale),
    exchangeMinSize: lotsOrNull(entry.exchangeMinSize, lot),
    exchangeMaxSize: lotsOrNull(entry.exchangeMaxSize, lot),
    exchangeQuoteMinSize: unitsOrNull(entry.exchangeQuoteMinSize, quote.scale),
    exchangeQuoteMaxSize: unitsOrNull(entry.exchangeQuoteMaxSize, quote.scale),
    minOrderSize: lotsOrNull(entry.minOrderSize, lot),
    maxOrderSize: lotsOrNull(entry.maxOrderSize, lot),
    referencePrice: wholeNumber(entry.referencePrice, tick),
  };
}

export function buildLiquidity(
  entry: ProductEntry,
  product: Product,
  recorded: RecordedMarkets,
): LiquidityPlan {
  const given: NonNullable<ProductEntry["liquidity"]> = entry.liquidity ?? {
    mode: worldDefaults.liquidity.mode,
  };
  if (given.mode === "empty") return { ...noMarket, product: entry.id };
  return {
    product: entry.id,
    mode: given.mode,
    levels: given.levels ?? worldDefaults.liquidity.levels,
    spacingTicks: given.spacingTicks ?? defaultSpacing(product.referencePrice),
    quantity: given.quantity === undefined ? defaultQuantity(product) : plainDecimal(given.quantity),
    everyMs: given.everyMs ?? worldDefaults.liquidity.everyMs,
    trades: given.mode === "trades" ? recordedTrades(recorded, entry.id, given.times) : [],
  };
}

const noMarket = {
  mode: "empty",
  levels: 0,
  spacingTicks: 0,
  quantity: "0",
  everyMs: 0,
  trades: [],
} as const;

export interface RecordedMarkets {
  readonly trades: ReadonlyMap<string, readonly RecordedTrade[]>;
  /** Market time at which the venue begins. */
  readonly startAt: number;
}

/** `from-start`: the first trade of all files happens at the beginning, and every other as much later as it did. */
function recordedTrades(
  { trades: all, startAt }: RecordedMarkets,
  id: string,
  times: RecordedTimes = worldDefaults.liquidity.times,
): LiquidityPlan["trades"] {
  const trades = all.get(id);
  invariant(trades !== undefined, `the recorded trades of ${id} were not read before the world was built`);
  const firsts = [...all.values()].flatMap(([first]) => (first === undefined ? [] : [first.at]));
  const origin = times === "recorded" ? startAt : Math.min(...firsts);
  return trades.map(({ at, ...trade }) => ({ afterMs: at - origin, ...trade }));
}

/** A decimal as a number of increments; `check/` has made sure that it is whole and safe. */
export function wholeNumber(text: string, increment: Increment): number {
  const multiples = wholeMultiples(text, increment);
  invariant(multiples !== null, `${text} is not a whole multiple of its increment`);
  invariant(
    multiples <= BigInt(Number.MAX_SAFE_INTEGER),
    `${text} is more increments than a number can count`,
  );
  return Number(multiples);
}

export const lotsOrNull = (text: string | undefined, lot: Increment): Lots | null =>
  text === undefined ? null : lots(wholeNumber(text, lot));

export function unitsOrNull(text: string | undefined, scale: number): Units | null {
  if (text === undefined) return null;
  const value = unitsAt(text, scale);
  invariant(value !== null, `${text} has more than the ${scale} digits that the ledger carries`);
  return units(value);
}
