/**
 * The world file as data: one schema for the check, for editors (`fixtures/worlds/world.schema.json`) and for
 * the types of this folder. It says what each value looks like; `check/` says how they fit together.
 */

import { clockModes } from "../domain/world.ts";
import {
  byName,
  flag,
  integer,
  list,
  oneOf,
  optional,
  patterned,
  section,
  text,
  type ValueOf,
  withDefault,
} from "../schema/fields.ts";
import { worldDefaults } from "./defaults.ts";
import { freedomSets } from "./freedoms.ts";
import { ClientSchema, KeySchema } from "./schema/accounts.ts";
import { FaultRuleSchema } from "./schema/faults.ts";
import { AssetSchema, ProductSchema } from "./schema/market.ts";
import { SettingsSchema } from "./schema/settings.ts";

const utcTime = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$";

const ClockSchema = section(
  {
    mode: withDefault(
      oneOf(
        clockModes,
        "real: market time goes like real time. manual: it stays until it is moved. skip-idle: like real, and it jumps to the next due thing when no command comes.",
      ),
      worldDefaults.clock.mode,
    ),
    start: withDefault(
      patterned(
        utcTime,
        "must be a time in UTC, such as 2026-01-01T00:00:00.000Z",
        "Market time of the first entry under a manual clock.",
      ),
      worldDefaults.clock.start,
    ),
  },
  "The market clock. Authentication always uses real time.",
);

export const WorldSchema = section(
  {
    extends: optional(
      patterned(
        "^(demo|\\./.{1,200})$",
        "must be demo, or a world file in this folder or below it, such as ./base.yaml",
        "Take sections that this file leaves out from the demo world, or from another file. A given section replaces it.",
        { examples: ["demo", "./base.yaml"] },
      ),
    ),
    seed: withDefault(
      integer(
        0,
        Number.MAX_SAFE_INTEGER,
        "Decides everything random; the same seed and commands give the same market.",
      ),
      worldDefaults.seed,
    ),
    clock: optional(ClockSchema),
    assets: optional(list(AssetSchema, "What can be held and traded.", { minItems: 1 })),
    products: optional(list(ProductSchema, "What can be traded for what.", { minItems: 1 })),
    market: optional(
      oneOf(
        ["ladder", "pinned", "walk", "empty"],
        "How the synthetic market of every product behaves, instead of what the products say.",
      ),
    ),
    clients: optional(list(ClientSchema, "Clients of the gateway.")),
    keys: optional(list(KeySchema, "API keys.")),
    settings: optional(SettingsSchema),
    freedomSet: optional(
      oneOf(
        freedomSets,
        "A named set of options of freedoms. polite: the defaults. prime-like: PENDING first, late and additive. strict: refuses what it may refuse.",
      ),
    ),
    hostile: optional(
      integer(
        0,
        Number.MAX_SAFE_INTEGER,
        "Lets this seed choose an option of every freedom; no clause is broken by any.",
      ),
    ),
    freedoms: optional(
      byName(
        text(40, "Id of an option, or a number where the setting takes one."),
        'Options of freedoms by id, in quotes: `F-self-trade: "none"`. They come last, after `freedomSet` and `hostile`.',
      ),
    ),
    magic: withDefault(
      flag("Whether a client_order_id that begins with 00000e01 to 00000e05 provokes a failure."),
      worldDefaults.magic,
    ),
    faults: withDefault(list(FaultRuleSchema, "Faults that apply from the start."), []),
  },
  "A world of the Gatewright simulator: everything that is true before the first request.",
);

/** A world as a file spells it. Without `extends`, the four lists are needed: `check/entries.ts`. */
export type WorldFile = ValueOf<typeof WorldSchema>;
export type AssetEntry = ValueOf<typeof AssetSchema>;
export type ProductEntry = ValueOf<typeof ProductSchema>;
export type ClientEntry = ValueOf<typeof ClientSchema>;
export type KeyEntry = ValueOf<typeof KeySchema>;
export type FaultEntry = ValueOf<typeof FaultRuleSchema>;
