/** Whether assets have ledger scales that the store can keep, and whether all balances fit into them. */

import { formatScaled } from "../../domain/decimal-text.ts";
import { maxLedgerUnits } from "../defaults.ts";
import { incrementOf, unitsAt } from "../exact.ts";
import { ledgerScale } from "../scales.ts";
import type { ProductEntry } from "../schema.ts";
import type { Entries } from "./entries.ts";
import type { Reporter } from "./reporter.ts";

export function checkAssets(entries: Entries, report: Reporter): void {
  const symbols = entries.assets.map((asset) => asset?.symbol ?? null);
  report.unique("assets", "symbol", symbols);
  for (const [index, asset] of entries.assets.entries()) {
    const networks = asset?.networks ?? [];
    const path = ["assets", index, "networks"] as const;
    const seen = new Set<string>();
    let marked: string | null = null;
    for (const [at, network] of networks.entries()) {
      if (seen.has(network.id)) report.value([...path, at, "id"], `repeats ${JSON.stringify(network.id)}`);
      seen.add(network.id);
      if (network.isDefault !== true) continue;
      if (marked !== null)
        report.value([...path, at, "isDefault"], `must be false: ${marked} is the default already`);
      marked ??= network.id;
    }
  }
}

/**
 * The scale at which the ledger keeps an asset; null when that cannot be said because something else is
 * wrong.
 */
export function knownScale(symbol: string, entries: Entries): number | null {
  const asset = entries.assets.find((entry) => entry?.symbol === symbol);
  if (asset === undefined || asset === null) return null;
  const products = entries.products.filter((entry): entry is ProductEntry => entry !== null);
  return ledgerScale(asset, products.filter(hasIncrements));
}

const hasIncrements = (product: ProductEntry): boolean =>
  incrementOf(product.baseIncrement).unit > 0n && incrementOf(product.priceIncrement).unit > 0n;

/** Balances on the grid of their asset, and all of an asset together within what one wallet can count. */
export function checkBalances(entries: Entries, report: Reporter): void {
  const totals = new Map<string, bigint>();
  for (const [index, client] of entries.clients.entries()) {
    for (const [symbol, text] of Object.entries(client?.balances ?? {})) {
      const path = ["clients", index, "balances", symbol];
      if (!report.known(path, "key", "assets", symbol, entries)) continue;
      const scale = knownScale(symbol, entries);
      if (scale === null) continue;
      const amount = unitsAt(text, scale);
      if (amount === null) {
        report.value(
          path,
          `has more digits than the ${scale} that the ledger carries for ${symbol}, was ${text}`,
        );
        continue;
      }
      const before = totals.get(symbol) ?? 0n;
      totals.set(symbol, before + amount);
      if (before > maxLedgerUnits || before + amount <= maxLedgerUnits) continue;
      const most = formatScaled(maxLedgerUnits, scale);
      report.value(
        path,
        `brings all balances in ${symbol} above ${most}`,
        `that is what the ledger counts to at ${scale} digits`,
      );
    }
  }
}
