/** Assets and products as the engine knows them: increments and limits already turned into whole numbers. */
import type { Lots, Units } from "./amount.ts";

export interface Asset {
  readonly index: number;
  readonly symbol: string;
  readonly name: string;
  /** Ledger scale: one unit is 10^-scale of the asset. */
  readonly scale: number;
  /** Digits after the point that a client may use (decimalPrecision of the asset record). */
  readonly precision: number;
  /** Fees in this asset are rounded up at this scale (F-fee-scale). */
  readonly feeScale: number;
  readonly networks: readonly Network[];
}

export interface Network {
  readonly id: string;
  readonly name: string;
  readonly isDefault: boolean;
  readonly maxDecimals: number;
  readonly depositEnabled: boolean;
  readonly minDepositAmount: string;
  readonly accountIdentifierName: string | null;
  readonly confirmationsRequired: number;
  /** Prefix of the addresses that this network's simulator makes. */
  readonly addressPrefix: string;
}

export interface Product {
  readonly index: number;
  readonly id: string;
  readonly exchangeProductId: string;
  readonly base: Asset;
  readonly quote: Asset;
  /** Price of one tick is `tickUnit / 10^priceScale`. */
  readonly priceScale: number;
  readonly tickUnit: number;
  /** Quantity of one lot is `lotUnit / 10^lotScale`. */
  readonly lotScale: number;
  readonly lotUnit: number;
  /** Quote units of one tick x one lot. */
  readonly unitsPerTickLot: bigint;
  /** Base units of one lot. */
  readonly unitsPerLot: bigint;
  readonly exchangeMinSize: Lots | null;
  readonly exchangeMaxSize: Lots | null;
  readonly exchangeQuoteMinSize: Units | null;
  readonly exchangeQuoteMaxSize: Units | null;
  readonly minOrderSize: Lots | null;
  readonly maxOrderSize: Lots | null;
  /** Middle of the seeded book, in ticks; the last price before the first trade. */
  readonly referencePrice: number;
}
