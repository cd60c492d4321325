/** Clients, keys and authentication: references, repeated names, and rates that cannot be meant. */
import { rateScale } from "../../domain/order.ts";
import type { Path } from "../../schema/problem.ts";
import { defaultKeyId } from "../build-accounts.ts";
import { incrementOf, rateUnits } from "../exact.ts";
import { quoteOf } from "../scales.ts";
import type { ClientEntry, ProductEntry } from "../schema.ts";
import { defaultServerSettings } from "../server-settings.ts";
import type { Entries } from "./entries.ts";
import { knownScale } from "./ledger.ts";
import { checkLots, checkRange, checkUnits } from "./products.ts";
import type { Reporter } from "./reporter.ts";

export function checkClients(entries: Entries, report: Reporter): void {
  const names = entries.clients.map((client) => client?.name ?? null);
  report.unique("clients", "name", names);
  for (const [index, client] of entries.clients.entries()) {
    if (client === null) continue;
    const path = ["clients", index];
    checkRates(client, path, report);
    for (const [id, rules] of Object.entries(client.rules ?? {})) {
      const at = [...path, "rules", id];
      if (!report.known(at, "key", "products", id, entries)) continue;
      const product = entries.products.find((entry) => entry?.id === id);
      if (product !== undefined && product !== null) checkRules(rules, at, product, entries, report);
    }
  }
}

const rates = ["makerRate", "takerRate", "exchangeMakerRate", "exchangeTakerRate"] as const;
const takerRates: ReadonlySet<string> = new Set(["takerRate", "exchangeTakerRate"]);
const whole = 10n ** BigInt(rateScale);

function checkRates(client: Partial<ClientEntry>, path: Path, report: Reporter): void {
  for (const name of rates) {
    const text = client[name];
    if (text === undefined) continue;
    const at = [...path, name];
    const rate = rateUnits(text);
    if (rate === null) report.value(at, `must have at most ${rateScale} digits after the point, was ${text}`);
    else if (rate > whole || rate < -whole)
      report.value(at, `must be a fraction from -1 to 1, was ${text}`, fractionAdvice);
    else if (rate < 0n && takerRates.has(name)) {
      report.value(at, `must not be negative, was ${text}`, "only maker rates may be rebates");
    } else if (rate !== 0n && client.feeModel === "ALL_IN" && name.startsWith("exchange")) {
      report.value(
        at,
        "must be 0 for a client with feeModel ALL_IN",
        "the exchange fee on top belongs to COST_PLUS",
      );
    }
  }
}

const fractionAdvice = 'write 0.25 % as "0.0025"';

type Rules = NonNullable<ClientEntry["rules"]>[string];

function checkRules(
  rules: Rules,
  path: Path,
  product: ProductEntry,
  entries: Entries,
  report: Reporter,
): void {
  const lot = incrementOf(product.baseIncrement);
  if (lot.unit === 0n) return;
  checkLots(rules.minOrderSize, [...path, "minOrderSize"], product.baseIncrement, lot, report);
  checkLots(rules.maxOrderSize, [...path, "maxOrderSize"], product.baseIncrement, lot, report);
  checkRange(rules, "minOrderSize", "maxOrderSize", path, report);
  const quote = quoteOf(product.id);
  const scale = knownScale(quote, entries);
  checkUnits(rules.minQuoteValue, [...path, "minQuoteValue"], quote, scale, report);
  checkUnits(rules.maxQuoteValue, [...path, "maxQuoteValue"], quote, scale, report);
  checkRange(rules, "minQuoteValue", "maxQuoteValue", path, report);
}

export function checkKeys(entries: Entries, report: Reporter): void {
  report.unique(
    "keys",
    "name",
    entries.keys.map((key) => key?.name ?? null),
  );
  const owners = new Map<string, number>();
  for (const [index, key] of entries.keys.entries()) {
    if (key === null) continue;
    if (typeof key.client === "string")
      report.known(["keys", index, "client"], "value", "clients", key.client, entries);
    const keyId = key.keyId ?? (key.name === undefined ? null : defaultKeyId(key.name));
    if (keyId === null) continue;
    const earlier = owners.get(keyId);
    const sameName = earlier !== undefined && entries.keys[earlier]?.name === key.name;
    if (earlier === undefined) owners.set(keyId, index);
    else if (!sameName) report.value(["keys", index, "keyId"], `is ${keyId}, as that of keys[${earlier}]`);
  }
}

export function checkAuth(entries: Entries, report: Reporter): void {
  const { auth } = entries;
  if (auth?.nonceRetentionMs === undefined) return;
  const window = auth.clockWindowMs ?? defaultServerSettings.auth.clockWindowMs;
  if (auth.nonceRetentionMs >= 2 * window) return;
  const rest = `must be at least twice clockWindowMs (${2 * window}), was ${auth.nonceRetentionMs}`;
  report.value(
    ["settings", "auth", "nonceRetentionMs"],
    rest,
    "a nonce forgotten earlier could be used again",
  );
}
