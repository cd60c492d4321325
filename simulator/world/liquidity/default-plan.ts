/** The synthetic market that a product gets when its world says nothing about it. */
import { formatScaled } from "../../domain/decimal-text.ts";
import type { Product } from "../../domain/market.ts";

/** One basis point of the reference price, at least one tick. */
export function defaultSpacing(referenceTicks: number): number {
  return Math.max(1, (referenceTicks - (referenceTicks % 10_000)) / 10_000);
}

type Sizes = Pick<
  Product,
  "maxOrderSize" | "exchangeMaxSize" | "minOrderSize" | "exchangeMinSize" | "lotUnit" | "lotScale"
>;

/** One percent of the largest order, or a thousand times the smallest where nothing is the largest. */
export function defaultQuantity(product: Sizes): string {
  const most = product.maxOrderSize ?? product.exchangeMaxSize;
  const least = product.minOrderSize ?? product.exchangeMinSize ?? 1;
  const wanted = most === null ? BigInt(least) * 1000n : BigInt(most) / 100n;
  const lots = wanted > BigInt(Number.MAX_SAFE_INTEGER) ? BigInt(Number.MAX_SAFE_INTEGER) : wanted;
  return formatScaled((lots > 0n ? lots : 1n) * BigInt(product.lotUnit), product.lotScale);
}
