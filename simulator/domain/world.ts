/** The world a venue is born with: everything that is true before the first command. */
import type { ApiKey, FeeModel, ProductRules } from "./account.ts";
import type { Units } from "./amount.ts";
import type { FaultRule } from "./fault.ts";
import type { Asset, Product } from "./market.ts";
import type { FeeRates } from "./order.ts";
import type { Settings } from "./settings.ts";

export interface ClientSeed {
  readonly name: string;
  readonly feeModel: FeeModel;
  readonly rates: FeeRates;
  /** By asset index. */
  readonly balances: ReadonlyMap<number, Units>;
  /** By product index; only what differs from the product's own limits. */
  readonly rules: ReadonlyMap<number, ProductRules>;
}

/** The paces of the market clock (sequencer/clock.ts). */
export const clockModes = ["real", "manual", "skip-idle"] as const;
export type ClockMode = (typeof clockModes)[number];

export type LiquidityMode = "pinned" | "ladder" | "walk" | "empty" | "trades";

/** How the synthetic market of one product behaves (simulator/world/liquidity). */
export interface LiquidityPlan {
  readonly product: string;
  readonly mode: LiquidityMode;
  /** Levels on each side, distance between them in ticks, and quantity of the first level as a decimal string. */
  readonly levels: number;
  readonly spacingTicks: number;
  readonly quantity: string;
  /** Market time between refreshes. */
  readonly everyMs: number;
  /** Mode `trades`: the recorded market, in order of time after the market's beginning. */
  readonly trades: readonly { readonly afterMs: number; readonly price: string; readonly quantity: string }[];
}

export interface World {
  readonly seed: number;
  /** Market time of the first entry under a manual clock, milliseconds since the epoch. */
  readonly startAt: number;
  readonly assets: readonly Asset[];
  readonly products: readonly Product[];
  /** Products whose pairs are listed with `apiEnabled: false`, by index. */
  readonly apiDisabled: ReadonlySet<number>;
  readonly clients: readonly ClientSeed[];
  readonly keys: readonly ApiKey[];
  /** Keys that are disabled from the start, by key id. */
  readonly disabledKeys: ReadonlySet<string>;
  readonly settings: Settings;
  readonly faults: readonly FaultRule[];
  readonly liquidity: readonly LiquidityPlan[];
  /** Canonical JSON of the world without secrets, and its SHA-256: what the journal is bound to. */
  readonly canonical: string;
  readonly digest: string;
}
