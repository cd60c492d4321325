/** Clients and keys, with their names turned into indexes. */
import { type ApiKey, allClaims, defaultSecret, type ProductRules } from "../domain/account.ts";
import { type Units, units } from "../domain/amount.ts";
import { invariant } from "../domain/invariant.ts";
import type { Asset, Product } from "../domain/market.ts";
import type { FeeRates } from "../domain/order.ts";
import type { ClientSeed } from "../domain/world.ts";
import { lotsOrNull, unitsOrNull } from "./build-market.ts";
import { worldDefaults } from "./defaults.ts";
import { rateUnits, unitsAt } from "./exact.ts";
import type { ClientEntry, KeyEntry } from "./schema.ts";

export function buildClient(
  entry: ClientEntry,
  assets: ReadonlyMap<string, Asset>,
  products: ReadonlyMap<string, Product>,
): ClientSeed {
  return {
    name: entry.name,
    feeModel: entry.feeModel,
    rates: buildRates(entry),
    balances: buildBalances(entry, assets),
    rules: buildRules(entry, products),
  };
}

const buildRates = (entry: ClientEntry): FeeRates => ({
  makerCommission: rateOf(entry.makerRate),
  takerCommission: rateOf(entry.takerRate),
  makerExchange: rateOf(entry.exchangeMakerRate ?? worldDefaults.client.exchangeMakerRate),
  takerExchange: rateOf(entry.exchangeTakerRate ?? worldDefaults.client.exchangeTakerRate),
});

function rateOf(text: string): bigint {
  const rate = rateUnits(text);
  invariant(rate !== null, `the rate ${text} has too many digits`);
  return rate;
}

/** In the order of the assets, not of the file: two spellings of one world are one world. */
function buildBalances(entry: ClientEntry, assets: ReadonlyMap<string, Asset>): Map<number, Units> {
  const balances = new Map<number, Units>();
  for (const asset of assets.values()) {
    const text = entry.balances?.[asset.symbol];
    if (text === undefined) continue;
    const amount = unitsAt(text, asset.scale);
    invariant(
      amount !== null,
      `${entry.name} cannot hold ${text} ${asset.symbol}: the ledger carries ${asset.scale} digits`,
    );
    if (amount > 0n) balances.set(asset.index, units(amount));
  }
  return balances;
}

function buildRules(entry: ClientEntry, products: ReadonlyMap<string, Product>): Map<number, ProductRules> {
  const all = new Map<number, ProductRules>();
  for (const product of products.values()) {
    const rules = entry.rules?.[product.id];
    if (rules === undefined) continue;
    const lot = { scale: product.lotScale, unit: BigInt(product.lotUnit) };
    all.set(product.index, {
      enabled: rules.enabled ?? worldDefaults.rules.enabled,
      minOrderSize: lotsOrNull(rules.minOrderSize, lot),
      maxOrderSize: lotsOrNull(rules.maxOrderSize, lot),
      minQuoteValue: unitsOrNull(rules.minQuoteValue, product.quote.scale),
      maxQuoteValue: unitsOrNull(rules.maxQuoteValue, product.quote.scale),
    });
  }
  return all;
}

/** Ids and secrets do not depend on the seed: an example that was pasted into a client works with every seed. */
export const defaultKeyId = (name: string): string => `gw_${name}`;

export function buildKey(entry: KeyEntry, clients: ReadonlyMap<string, number>): ApiKey {
  const keyId = entry.keyId ?? defaultKeyId(entry.name);
  return {
    name: entry.name,
    keyId,
    secret: entry.secret ?? defaultSecret(keyId),
    client: entry.client === null ? null : clientIndex(entry.client, clients),
    claims: allClaims.filter((claim) => entry.claims.includes(claim)),
  };
}

function clientIndex(name: string, clients: ReadonlyMap<string, number>): number {
  const index = clients.get(name);
  invariant(index !== undefined, `no client is called ${name}`);
  return index;
}
