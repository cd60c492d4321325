/**
 * Whether a product's increments, sizes and prices fit together and into the numbers that the venue counts
 * with.
 */
import { formatScaled } from "../../domain/decimal-text.ts";
import type { Path } from "../../schema/problem.ts";
import { maxLedgerScale, worldDefaults } from "../defaults.ts";
import {
  compareDecimals,
  type Increment,
  incrementOf,
  neighbours,
  unitsAt,
  wholeMultiples,
} from "../exact.ts";
import { defaultSpacing } from "../liquidity/default-plan.ts";
import { baseOf, quoteOf, valueDigits } from "../scales.ts";
import type { ProductEntry } from "../schema.ts";
import type { Entries } from "./entries.ts";
import { knownScale } from "./ledger.ts";
import type { Reporter } from "./reporter.ts";

const mostUnits = BigInt(Number.MAX_SAFE_INTEGER);

export function checkProducts(entries: Entries, report: Reporter): void {
  const names = entries.products.map((product) => product?.id ?? null);
  report.unique("products", "id", names);
  for (const [index, product] of entries.products.entries()) {
    if (product !== null) checkProduct(product, ["products", index], entries, report);
  }
}

function checkProduct(product: ProductEntry, path: Path, entries: Entries, report: Reporter): void {
  const [base, quote] = [baseOf(product.id), quoteOf(product.id)];
  const idPath = [...path, "id"];
  if (base === quote) report.value(idPath, "trades an asset for itself");
  report.known(idPath, "value", "assets", base, entries);
  report.known(idPath, "value", "assets", quote, entries);
  const lot = checkIncrement(product.baseIncrement, [...path, "baseIncrement"], report);
  const tick = checkIncrement(product.priceIncrement, [...path, "priceIncrement"], report);
  if (lot === null || tick === null) return;
  checkDigits(product, path, report);
  checkSizes(product, path, lot, report);
  checkValues(product, path, quote, entries, report);
  checkPrices(product, path, tick, report);
  checkQuantity(product, path, lot, report);
}

function checkIncrement(text: string, path: Path, report: Reporter): Increment | null {
  const increment = incrementOf(text);
  if (increment.unit === 0n) {
    report.value(path, "must be greater than zero");
    return null;
  }
  if (increment.unit <= mostUnits) return increment;
  report.value(path, `has too many digits: without its point it must be at most ${mostUnits}`);
  return null;
}

function checkDigits(product: ProductEntry, path: Path, report: Reporter): void {
  const digits = valueDigits(product);
  if (digits <= maxLedgerScale) return;
  const rest = `and baseIncrement together need ${digits} digits of ${quoteOf(product.id)}`;
  report.value(
    [...path, "priceIncrement"],
    rest,
    `the ledger carries at most ${maxLedgerScale}: use larger increments`,
  );
}

const sizes = ["exchangeMinSize", "exchangeMaxSize", "minOrderSize", "maxOrderSize"] as const;

function checkSizes(product: ProductEntry, path: Path, lot: Increment, report: Reporter): void {
  for (const name of sizes) checkLots(product[name], [...path, name], product.baseIncrement, lot, report);
  checkRange(product, "exchangeMinSize", "exchangeMaxSize", path, report);
  checkRange(product, "minOrderSize", "maxOrderSize", path, report);
  checkRange(product, "minOrderSize", "exchangeMaxSize", path, report);
  checkRange(product, "exchangeMinSize", "maxOrderSize", path, report);
}

/** A quantity must be whole lots, and few enough to be counted exactly. */
export function checkLots(
  text: string | undefined,
  path: Path,
  increment: string,
  lot: Increment,
  report: Reporter,
): void {
  if (text === undefined) return;
  checkMultiple(text, path, { increment, unit: lot, called: "baseIncrement", counted: "lots" }, report);
}

interface Grid {
  readonly increment: string;
  readonly unit: Increment;
  readonly called: string;
  readonly counted: string;
}

/** True when the value is a whole and safe number of increments. */
function checkMultiple(text: string, path: Path, grid: Grid, report: Reporter): boolean {
  const multiples = wholeMultiples(text, grid.unit);
  if (multiples === null) {
    const issue = `must be a whole multiple of ${grid.called} ${grid.increment}, was ${text}`;
    report.value(path, issue, nearest(neighbours(text, grid.unit)));
    return false;
  }
  if (multiples <= mostUnits) return true;
  const rest = `is ${multiples} ${grid.counted} of ${grid.increment}; the venue counts to ${mostUnits} (2^53 - 1)`;
  report.value(
    path,
    rest,
    `use at most ${formatScaled(mostUnits * grid.unit.unit, grid.unit.scale)}, or a larger increment`,
  );
  return false;
}

const nearest = (values: readonly string[]): string =>
  values.length === 1 ? `the smallest is ${values.join("")}` : `the nearest are ${values.join(" and ")}`;

/** Any pair of a smallest and a largest value of one section. */
export function checkRange<Name extends string>(
  section: { readonly [name in Name]?: unknown },
  least: Name,
  most: Name,
  path: Path,
  report: Reporter,
): void {
  const [low, high] = [section[least], section[most]];
  if (typeof low !== "string" || typeof high !== "string" || compareDecimals(low, high) <= 0) return;
  report.value([...path, least], `${low} is above ${most} ${high}`, "no order could satisfy both");
}

function checkValues(
  product: ProductEntry,
  path: Path,
  quote: string,
  entries: Entries,
  report: Reporter,
): void {
  const scale = knownScale(quote, entries);
  for (const name of ["exchangeQuoteMinSize", "exchangeQuoteMaxSize"] as const) {
    checkUnits(product[name], [...path, name], quote, scale, report);
  }
  checkRange(product, "exchangeQuoteMinSize", "exchangeQuoteMaxSize", path, report);
}

/** An amount must not have more digits than the ledger carries for its asset. */
export function checkUnits(
  text: string | undefined,
  path: Path,
  asset: string,
  scale: number | null,
  report: Reporter,
): void {
  if (text === undefined || scale === null || unitsAt(text, scale) !== null) return;
  report.value(path, `has more digits than the ${scale} that the ledger carries for ${asset}, was ${text}`);
}

function checkPrices(product: ProductEntry, path: Path, tick: Increment, report: Reporter): void {
  const at = [...path, "referencePrice"];
  const { priceIncrement, referencePrice } = product;
  if (incrementOf(referencePrice).unit === 0n) return report.value(at, "must be greater than zero");
  const grid = { increment: priceIncrement, unit: tick, called: "priceIncrement", counted: "ticks" };
  if (!checkMultiple(referencePrice, at, grid, report)) return;
  const plan = product.liquidity ?? { mode: worldDefaults.liquidity.mode };
  if (plan.mode === "empty") return;
  const ticks = wholeMultiples(referencePrice, tick) ?? 0n;
  const spacing = BigInt(plan.spacingTicks ?? defaultSpacing(Number(ticks)));
  const depth = spacing * BigInt(plan.levels ?? worldDefaults.liquidity.levels);
  if (ticks <= 2n * spacing) {
    const rest = `is only ${ticks} ticks, too few for a synthetic market with spacingTicks ${spacing}`;
    report.value(at, rest, 'use a smaller priceIncrement or spacingTicks, or "liquidity: { mode: empty }"');
  } else if (ticks + ticks / 20n + depth > mostUnits) {
    report.value(
      at,
      `leaves no room for price levels above it: the venue counts to ${mostUnits} ticks (2^53 - 1)`,
    );
  }
}

function checkQuantity(product: ProductEntry, path: Path, lot: Increment, report: Reporter): void {
  const plan = product.liquidity;
  if (plan === undefined || plan.mode === "empty" || plan.quantity === undefined) return;
  const at = [...path, "liquidity", "quantity"];
  if (incrementOf(plan.quantity).unit === 0n) return report.value(at, "must be greater than zero");
  checkLots(plan.quantity, at, product.baseIncrement, lot, report);
}
