/** All levers, in the order of their page. */
import { ACCOUNT_CONTROLS } from "./account-controls.ts";
import { CLOCK_CONTROLS } from "./clock-controls.ts";
import type { ControlRoute } from "./control-route.ts";
import { DEPOSIT_CONTROLS } from "./deposit-controls.ts";
import { FAULT_CONTROLS } from "./fault-controls.ts";
import { MARKET_CONTROLS } from "./market-controls.ts";
import { SETTINGS_CONTROLS } from "./settings-controls.ts";
import { HEALTH, STATE_HASH } from "./venue-controls.ts";

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  HEALTH,
  ...CLOCK_CONTROLS,
  ...FAULT_CONTROLS,
  ...SETTINGS_CONTROLS,
  STATE_HASH,
  ...MARKET_CONTROLS,
  ...DEPOSIT_CONTROLS,
  ...ACCOUNT_CONTROLS,
];
