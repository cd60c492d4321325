/** The state of the reference venue: decimals and arrays only, without derived values. */
import type { OrderStatus, OrderType, Side } from "../../domain/order.ts";
import { type Decimal, decimal } from "./exact.ts";
import {
  type AssetSpec,
  baseOf,
  type ClientSpec,
  type ProductSpec,
  quoteOf,
  type RatesSpec,
  type VenueSpec,
} from "./venue-spec.ts";

export interface ReferenceRates {
  readonly makerCommission: Decimal;
  readonly takerCommission: Decimal;
  readonly makerExchange: Decimal;
  readonly takerExchange: Decimal;
}

export interface ReferenceRules {
  enabled: boolean;
  minOrderSize: string | null;
  maxOrderSize: string | null;
  minQuoteValue: string | null;
  maxQuoteValue: string | null;
}

export interface ReferenceWallet {
  balance: Decimal;
  hold: Decimal;
}

export interface ReferenceClient {
  readonly index: number;
  rates: ReferenceRates;
  tradingEnabled: boolean;
  readonly rules: Map<string, ReferenceRules>;
  readonly wallets: Map<string, ReferenceWallet>;
}

export interface ReferenceProduct {
  readonly spec: ProductSpec;
  readonly id: string;
  readonly base: AssetSpec;
  readonly quote: AssetSpec;
  readonly feeScale: number;
  /** Decimals that a client may use for an amount of the quote asset. */
  readonly quotePrecision: number;
  readonly priceIncrement: Decimal;
  readonly baseIncrement: Decimal;
  last: Decimal;
  halted: boolean;
  apiEnabled: boolean;
}

export interface ReferenceOrder {
  /** The how-many-eth accepted order of the venue, from 1. */
  readonly id: number;
  readonly client: ReferenceClient;
  readonly product: ReferenceProduct;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly quantity: Decimal | null;
  readonly price: Decimal | null;
  readonly stop: Decimal | null;
  readonly budget: Decimal | null;
  readonly rates: ReferenceRates;
  readonly matchAt: number;
  status: OrderStatus;
  phase: "queued" | "waiting" | "resting" | "done";
  /** Grows whenever anything below changes, so that a comparison knows where to look. */
  changes: number;
  /** Rank of arrival in the book. */
  arrival: number;
  filled: Decimal;
  removed: Decimal;
  value: Decimal;
  exactCommission: Decimal;
  exactExchangeFee: Decimal;
  commission: Decimal;
  exchangeFee: Decimal;
  hold: Decimal;
}

/** One level of the synthetic market. */
export interface ReferenceLevel {
  readonly product: ReferenceProduct;
  readonly side: Side;
  readonly price: Decimal;
  remaining: Decimal;
  readonly arrival: number;
}

export interface ReferenceCharge {
  readonly commission: Decimal;
  readonly exchangeFee: Decimal;
}

/** `taker` and `maker` are ids of orders; 0 is the synthetic market. */
export interface ReferenceFill {
  readonly product: string;
  readonly price: Decimal;
  readonly quantity: Decimal;
  readonly takerSide: Side;
  readonly taker: number;
  readonly maker: number;
  readonly takerCharge: ReferenceCharge;
  readonly makerCharge: ReferenceCharge;
}

export type ReferenceOutcome =
  | { readonly kind: "accepted"; readonly order: number }
  | { readonly kind: "replayed"; readonly order: number }
  | { readonly kind: "rejected"; readonly code: string; readonly reason: string | null }
  | { readonly kind: "done" };

export const refuse = (code: string, reason: string | null = null): ReferenceOutcome => ({
  kind: "rejected",
  code,
  reason,
});

export function referenceRates(rates: RatesSpec): ReferenceRates {
  return {
    makerCommission: decimal(rates.maker),
    takerCommission: decimal(rates.taker),
    makerExchange: decimal(rates.exchangeMaker ?? "0"),
    takerExchange: decimal(rates.exchangeTaker ?? "0"),
  };
}

export function referenceClient(spec: ClientSpec, index: number): ReferenceClient {
  const wallets = Object.entries(spec.balances).map(
    ([symbol, balance]) => [symbol, { balance: decimal(balance), hold: decimal(0) }] as const,
  );
  return {
    index,
    rates: referenceRates(spec.rates),
    tradingEnabled: true,
    rules: new Map(),
    wallets: new Map(wallets),
  };
}

export function referenceProduct(venue: VenueSpec, spec: ProductSpec): ReferenceProduct {
  const asset = (symbol: string): AssetSpec =>
    venue.assets.find((candidate) => candidate.symbol === symbol) ?? { symbol };
  const quote = asset(quoteOf(spec.id));
  return {
    spec,
    id: spec.id,
    base: asset(baseOf(spec.id)),
    quote,
    feeScale: quote.feeScale ?? 8,
    quotePrecision: quote.precision ?? 8,
    priceIncrement: decimal(spec.priceIncrement),
    baseIncrement: decimal(spec.baseIncrement),
    last: decimal(spec.reference),
    halted: false,
    apiEnabled: true,
  };
}

export function walletOf(client: ReferenceClient, symbol: string): ReferenceWallet {
  const known = client.wallets.get(symbol);
  if (known !== undefined) return known;
  const wallet = { balance: decimal(0), hold: decimal(0) };
  client.wallets.set(symbol, wallet);
  return wallet;
}

/** Asset in which an order sets money aside. */
export const holdWallet = (order: ReferenceOrder): ReferenceWallet =>
  walletOf(order.client, order.side === "BUY" ? order.product.quote.symbol : order.product.base.symbol);

export const remainingOf = (order: ReferenceOrder): Decimal =>
  (order.quantity ?? decimal(0)).minus(order.filled).minus(order.removed);

const noRules: ReferenceRules = {
  enabled: true,
  minOrderSize: null,
  maxOrderSize: null,
  minQuoteValue: null,
  maxQuoteValue: null,
};

export const rulesOf = (client: ReferenceClient, product: ReferenceProduct): ReferenceRules =>
  client.rules.get(product.id) ?? noRules;

type Limit = string | null | undefined;

/** The limits that exist. */
export const given = (limits: readonly Limit[]): Decimal[] =>
  limits.flatMap((limit) => (limit === null || limit === undefined ? [] : [decimal(limit)]));

/** Every limit from above on the base size of an order. */
export const largestSizes = (client: ReferenceClient, product: ReferenceProduct): Decimal[] =>
  given([product.spec.exchangeMaxSize, product.spec.maxOrderSize, rulesOf(client, product).maxOrderSize]);
