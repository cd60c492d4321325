/**
 * From a checked world file to the world of the domain: names become indexes, decimals become ticks, lots and
 * units, and missing values get their defaults. Pure: the same file, overrides and recorded trades give the
 * same digest on any machine. A file that cannot be built here was missed by `check/`, which is a bug of ours.
 */

import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { nonceRetention } from "../domain/auth-settings.ts";
import type { Command } from "../domain/command.ts";
import type { FaultRule } from "../domain/fault.ts";
import { invariant } from "../domain/invariant.ts";
import { defaultSettings, type Settings } from "../domain/settings.ts";
import type { ClockMode, World } from "../domain/world.ts";
import { buildClient, buildKey } from "./build-accounts.ts";
import { buildAsset, buildLiquidity, buildProduct } from "./build-market.ts";
import { worldDefaults } from "./defaults.ts";
import { demoWorld } from "./demo-world.ts";
import { describeWorld, type WorldFacts } from "./describe-world.ts";
import type { RecordedTrade } from "./liquidity/read-trades.ts";
import { outcomeRule } from "./outcomes.ts";
import type { FaultEntry, ProductEntry, WorldFile } from "./schema.ts";
import { defaultServerSettings, type ServerSettings } from "./server-settings.ts";

export interface BuildOptions {
  /** Replaces the seed of the file. */
  readonly seed?: number;
  /** Replaces the clock mode of the file. */
  readonly clock?: ClockMode;
  /** The recorded trades of each product in liquidity mode `trades`, by product id. */
  readonly recorded?: ReadonlyMap<string, readonly RecordedTrade[]>;
  /** The settings that its freedoms stand for, in place of those of the file. */
  readonly chosen?: ChosenSettings;
}

/** The settings of a world file with its freedoms in them; choose-freedoms.ts makes them. */
export interface ChosenSettings {
  readonly settings: WorldFile["settings"];
  /** Without what hostile mode chose. */
  readonly writtenSettings: WorldFile["settings"];
  readonly hostile: number | null;
}

/** A world and what surrounds it. Only `world` is bound to the journal. */
export interface BuiltWorld {
  readonly world: World;
  readonly server: ServerSettings;
  /** The settings of the engine without what hostile mode chose. */
  readonly writtenSettings: Settings;
  readonly clock: { readonly mode: ClockMode };
  /** Whether the reserved beginnings of `client_order_id` provoke failures (outcomes.ts). */
  readonly magic: boolean;
  /** Commands that a venue with an empty journal takes first. */
  readonly opening: readonly Command[];
  readonly source: WorldSource;
}

/** The source of a world, with everything that a start has replaced in it. */
export interface WorldSource {
  /** Names no file but those of recorded trades; freedoms are settings in it. */
  readonly file: WholeWorldFile;
  readonly writtenSettings: WorldFile["settings"];
  readonly hostile: number | null;
  readonly recorded: ReadonlyMap<string, readonly RecordedTrade[]>;
}

export function buildWorld(file: WorldFile, options: BuildOptions = {}): BuiltWorld {
  const { settings, writtenSettings, hostile } = options.chosen ?? plain(file);
  const entries = { ...withSections(file), settings, hostile };
  const facts = gatherFacts(entries, options);
  // as: an object always has a spelling.
  const canonical = canonicalize(describeWorld(facts)) as string;
  const { halted, ...world } = facts;
  return {
    world: { ...world, canonical, digest: createHash("sha256").update(canonical).digest("hex") },
    server: buildServerSettings(entries.settings),
    writtenSettings: buildSettings(writtenSettings),
    clock: { mode: options.clock ?? entries.clock?.mode ?? worldDefaults.clock.mode },
    magic: entries.magic ?? worldDefaults.magic,
    opening: [...halted].map((index) => haltCommand(world.products[index]?.id)),
    source: {
      file: resolved(entries, facts.seed, options.clock),
      writtenSettings,
      hostile,
      recorded: recorded(options),
    },
  };
}

/** A file that gives the same world without the demo world, and without overrides. */
function resolved(
  { hostile: _, ...entries }: Entries,
  seed: number,
  mode: ClockMode | undefined,
): WholeWorldFile {
  const { extends: _extends, market: _market, freedomSet: _set, freedoms: _freedoms, ...file } = entries;
  const { settings = {}, clock } = file;
  return { ...file, settings, seed, clock: { ...clock, ...(mode === undefined ? {} : { mode }) } };
}

const recorded = ({ recorded = new Map() }: BuildOptions): WorldSource["recorded"] => recorded;

const plain = ({ settings }: WorldFile): ChosenSettings => ({
  settings,
  writtenSettings: settings,
  hostile: null,
});

type Lists = "assets" | "products" | "clients" | "keys";
type Entries = Omit<WholeWorldFile, "settings" | "hostile"> & Omit<ChosenSettings, "writtenSettings">;
export type WholeWorldFile = WorldFile & Required<Pick<WorldFile, Lists>>;

/** The file with the sections it takes from the demo world. */
export function withSections(file: WorldFile): WholeWorldFile {
  const whole = file.extends === "demo" ? { ...demoWorld, ...file } : file;
  const { assets, products, clients, keys } = whole;
  const complete =
    assets !== undefined && products !== undefined && clients !== undefined && keys !== undefined;
  invariant(complete, "a world needs assets, products, clients and keys");
  return { ...whole, assets, products: products.map((entry) => inMarket(entry, file.market)), clients, keys };
}

const inMarket = (entry: ProductEntry, mode: WorldFile["market"]): ProductEntry =>
  mode === undefined ? entry : { ...entry, liquidity: { mode } };

function gatherFacts({ hostile, ...file }: Entries, options: BuildOptions): WorldFacts {
  const assets = file.assets.map((entry, index) => buildAsset(entry, index, file.products));
  const assetOf = new Map(assets.map((asset) => [asset.symbol, asset]));
  const products = file.products.map((entry, index) => buildProduct(entry, index, assetOf));
  const productOf = new Map(products.map((product) => [product.id, product]));
  const clientOf = new Map(file.clients.map((entry, index) => [entry.name, index]));
  const keys = file.keys.map((entry) => buildKey(entry, clientOf));
  const disabled = keys.filter((_, index) => file.keys[index]?.enabled === false);
  const startAt = Date.parse(file.clock?.start ?? worldDefaults.clock.start);
  const plan = (index: number) => {
    const [entry, product] = [file.products[index], products[index]];
    invariant(entry !== undefined && product !== undefined, "products and their entries are one list");
    return buildLiquidity(entry, product, { trades: recorded(options), startAt });
  };
  return {
    seed: options.seed ?? file.seed ?? worldDefaults.seed,
    startAt,
    assets,
    products,
    apiDisabled: indexesWhere(file.products, (entry) => entry.apiEnabled === false),
    halted: indexesWhere(file.products, (entry) => entry.halted === true),
    clients: file.clients.map((entry) => buildClient(entry, assetOf, productOf)),
    keys,
    disabledKeys: new Set(disabled.map((key) => key.keyId)),
    settings: { ...buildSettings(file.settings), ...(hostile === null ? {} : { hostile }) },
    faults: (file.faults ?? []).map(buildFault),
    liquidity: products.map((product) => plan(product.index)),
  };
}

function indexesWhere<T>(list: readonly T[], holds: (item: T) => boolean): ReadonlySet<number> {
  return new Set(list.flatMap((item, index) => (holds(item) ? [index] : [])));
}

function haltCommand(product: string | undefined): Command {
  invariant(product !== undefined, "a halted product stands in the list of products");
  return { kind: "SetHalted", product, halted: true };
}

function buildSettings(given: WorldFile["settings"]): Settings {
  const { auth, diagnostics, validation, candles, rateLimit, limits, ...ofEngine } = given ?? {};
  const { answerDelayMs = 0, variations = [], ...engine } = ofEngine;
  // A setting that is not in force is left out: the digest of a world is that of one that does not name it.
  return {
    ...defaultSettings,
    ...engine,
    ...(answerDelayMs === 0 ? {} : { answerDelayMs }),
    ...(variations.length === 0 ? {} : { variations: variations.toSorted() }),
  };
}

function buildServerSettings(given: WorldFile["settings"]): ServerSettings {
  const defaults = defaultServerSettings;
  const auth = { ...defaults.auth, ...given?.auth };
  return {
    auth: { ...auth, nonceRetentionMs: given?.auth?.nonceRetentionMs ?? nonceRetention(auth.clockWindowMs) },
    diagnostics: given?.diagnostics ?? defaults.diagnostics,
    validation: { ...defaults.validation, ...given?.validation },
    candles: { ...defaults.candles, ...given?.candles },
    rateLimit: { ...defaults.rateLimit, ...given?.rateLimit },
    limits: { ...defaults.limits, ...given?.limits },
  };
}

export function buildFault(entry: FaultEntry): FaultRule {
  const { fault, outcome, ...conditions } = entry;
  const whole = outcome === undefined ? undefined : outcomeRule(outcome, conditions);
  if (whole !== undefined) return whole;
  invariant(fault !== undefined, "a rule has a fault or an outcome");
  if (fault.kind !== "externalFailure") return { ...conditions, fault };
  if (fault.outcome === "certain")
    return { ...conditions, fault: { kind: fault.kind, outcome: fault.outcome } };
  const { resolvesTo = worldDefaults.fault.resolvesTo, afterMs = worldDefaults.fault.afterMs } = fault;
  return { ...conditions, fault: { kind: fault.kind, outcome: "unknown", resolvesTo, afterMs } };
}
