/**
 * The world file as data: one schema for the check, for editors (`fixtures/worlds/world.schema.json`) and for
 * the types of this folder. It says what each value looks like; `check/` says how they fit together.
 */
import { type Static, Type } from "typebox";
import { DEFAULTS } from "./defaults.ts";
import { ClientSchema, KeySchema } from "./schema/accounts.ts";
import { FaultRuleSchema } from "./schema/faults.ts";
import { closed, flag, integer, oneOf } from "./schema/fields.ts";
import { AssetSchema, ProductSchema } from "./schema/market.ts";
import { SettingsSchema } from "./schema/settings.ts";

const optional = Type.Optional;
const UTC_TIME = "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$";

const ClockSchema = Type.Object(
  {
    mode: optional(
      oneOf(["real", "manual"], {
        description: "real: market time is real time. manual: it stands still until it is advanced.",
        default: DEFAULTS.clock.mode,
      }),
    ),
    start: optional(
      Type.String({
        pattern: UTC_TIME,
        patternErrorMessage: "must be a time in UTC, such as 2026-01-01T00:00:00.000Z",
        description: "Market time of the first entry under a manual clock.",
        default: DEFAULTS.clock.start,
      }),
    ),
  },
  { ...closed, description: "The market clock. Authentication always uses real time." },
);

export const WorldSchema = Type.Object(
  {
    extends: optional(
      Type.Literal("demo", {
        description:
          "Take sections that this file leaves out from the demo world. A given section replaces it.",
      }),
    ),
    seed: optional(
      integer(0, Number.MAX_SAFE_INTEGER, {
        description: "Where all chance comes from; the same seed and commands give the same market.",
        default: DEFAULTS.seed,
      }),
    ),
    clock: optional(ClockSchema),
    assets: optional(Type.Array(AssetSchema, { minItems: 1, description: "What can be held and traded." })),
    products: optional(
      Type.Array(ProductSchema, { minItems: 1, description: "What can be traded for what." }),
    ),
    market: optional(
      oneOf(["ladder", "pinned", "walk", "empty"], {
        description: "How the synthetic market of every product behaves, instead of what the products say.",
      }),
    ),
    clients: optional(Type.Array(ClientSchema, { description: "Clients of the gateway." })),
    keys: optional(Type.Array(KeySchema, { description: "API keys." })),
    settings: optional(SettingsSchema),
    magic: optional(
      flag({
        description: "Whether a client_order_id that begins with 00000e01 to 00000e05 provokes a failure.",
        default: DEFAULTS.magic,
      }),
    ),
    faults: optional(
      Type.Array(FaultRuleSchema, { description: "Faults that apply from the start.", default: [] }),
    ),
  },
  {
    ...closed,
    description: "A world of the Gatewright simulator: everything that is true before the first request.",
  },
);

/** A world as a file spells it. Without `extends`, the four lists are needed: `check/sections.ts`. */
export type WorldFile = Static<typeof WorldSchema>;
export type AssetEntry = Static<typeof AssetSchema>;
export type ProductEntry = Static<typeof ProductSchema>;
export type ClientEntry = Static<typeof ClientSchema>;
export type KeyEntry = Static<typeof KeySchema>;
export type FaultEntry = Static<typeof FaultRuleSchema>;
