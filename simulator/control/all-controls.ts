/** All levers, in the order of their page. */
import { ACCOUNT_CONTROLS } from "./account-controls.ts";
import type { ControlRoute } from "./control-route.ts";
import { DEPOSIT_CONTROLS } from "./deposit-controls.ts";
import { MARKET_CONTROLS } from "./market-controls.ts";
import { VENUE_CONTROLS } from "./venue-controls.ts";

export const CONTROL_ROUTES: readonly ControlRoute[] = [
  ...VENUE_CONTROLS,
  ...MARKET_CONTROLS,
  ...DEPOSIT_CONTROLS,
  ...ACCOUNT_CONTROLS,
];
