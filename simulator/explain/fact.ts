/** One link of an explanation: what happened, in a sentence and in numbers, and the journal entry that it stands on. */

import { formatScaled } from "../domain/decimal-text.ts";
import type { Product } from "../domain/market.ts";
import { rateScale } from "../domain/order.ts";
import { lotsText, ticksText } from "../domain/steps.ts";

export interface Fact {
  readonly code: FactCode;
  readonly sentence: string;
  /** Amounts are decimals as texts; times are ISO 8601. */
  readonly values: Readonly<Record<string, string | number | null>>;
  /** Null for a fact about a request that caused no entry. */
  readonly entry: number | null;
}

export const factCodes = [
  "RECEIVED",
  "REFUSED",
  "SIGNATURE",
  "ANSWERED",
  "ANSWER_LOST",
  "ACCEPTED",
  "FAULT",
  "FREEDOMS",
  "HELD",
  "CONFIRMED",
  "STOP_ARMED",
  "STOP_TRIGGERED",
  "RESTED",
  "TRADED",
  "REDUCED",
  "CANCEL_REQUESTED",
  "FILLED",
  "CANCELLED",
  "EXPIRED",
  "FAILED",
  "SYNCED",
  "LEFT_OUT",
  "WAITS_FOR_EXCHANGE",
  "NEVER_CONFIRMED",
  "WAITS_FOR_MATCHING",
  "WAITS_FOR_COURSE",
  "NEVER_MATCHED",
  "WAITS_FOR_STOP",
  "WAITS_FOR_CANCEL",
  "WAITS_FOR_TRADE",
  "HALTED",
  "NEVER_SYNCED",
] as const;
export type FactCode = (typeof factCodes)[number];

/** Amounts of a product with their units. */
export class Amounts {
  readonly #product: Product;

  constructor(product: Product) {
    this.#product = product;
  }

  lots(count: number): string {
    return `${lotsText(this.#product, count)} ${this.#product.base.symbol}`;
  }

  price(ticks: number): string {
    return `${ticksText(this.#product, ticks)} ${this.#product.quote.symbol}`;
  }

  quote(units: bigint): string {
    return `${formatScaled(units, this.#product.quote.scale)} ${this.#product.quote.symbol}`;
  }

  base(units: bigint): string {
    return `${formatScaled(units, this.#product.base.scale)} ${this.#product.base.symbol}`;
  }
}

/** `0.25 %` of a rate. */
export const percent = (rate: bigint): string => `${formatScaled(rate, rateScale - 2)} %`;
