/** All controls, in the order of their page. */
import { accountControls } from "./account-controls.ts";
import { clockControls } from "./clock-controls.ts";
import type { ControlRoute } from "./control-route.ts";
import { depositControls } from "./deposit-controls.ts";
import { faultControls } from "./fault-controls.ts";
import { marketControls } from "./market-controls.ts";
import { settingsControls } from "./settings-controls.ts";
import { health, stateHashControl } from "./venue-controls.ts";

export const controlRoutes: readonly ControlRoute[] = [
  health,
  ...clockControls,
  ...faultControls,
  ...settingsControls,
  stateHashControl,
  ...marketControls,
  ...depositControls,
  ...accountControls,
];
