/**
 * The ledger scale of each asset: the fewest digits after the point at which every amount that can arise is
 * whole.
 *
 * A price is a multiple of the price increment and a quantity one of the base increment, so their product has
 * as many digits as both together; that is what the quote asset must carry. Fees are rounded at `feeScale`,
 * and clients may use `precision` digits. With all of them covered, nothing in the ledger is ever rounded
 * except a fee.
 */
import { worldDefaults } from "./defaults.ts";
import { incrementOf } from "./exact.ts";
import type { AssetEntry, ProductEntry } from "./schema.ts";

export type ProductIncrements = Pick<ProductEntry, "id" | "baseIncrement" | "priceIncrement">;

export const baseOf = (id: string): string => id.slice(0, id.indexOf("-"));
export const quoteOf = (id: string): string => id.slice(id.indexOf("-") + 1);

/** Digits that value in the quote asset of this product can have. */
export const valueDigits = (product: ProductIncrements): number =>
  incrementOf(product.priceIncrement).scale + incrementOf(product.baseIncrement).scale;

export function ledgerScale(asset: AssetEntry, products: readonly ProductIncrements[]): number {
  let scale = Math.max(
    asset.feeScale ?? worldDefaults.asset.feeScale,
    asset.precision ?? worldDefaults.asset.precision,
  );
  for (const product of products) {
    if (quoteOf(product.id) === asset.symbol) scale = Math.max(scale, valueDigits(product));
    if (baseOf(product.id) === asset.symbol)
      scale = Math.max(scale, incrementOf(product.baseIncrement).scale);
  }
  return scale;
}
