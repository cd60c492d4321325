/** All controls, in the order of their page. */
import { accountControls } from "./account-controls.ts";
import { capsuleControls } from "./capsule-controls.ts";
import { clockControls } from "./clock-controls.ts";
import type { ControlRoute } from "./control-route.ts";
import { depositControls } from "./deposit-controls.ts";
import { doctorControls } from "./doctor-controls.ts";
import { exchangeControls } from "./exchange-controls.ts";
import { explainControls } from "./explain-controls.ts";
import { faultControls } from "./fault-controls.ts";
import { freedomControls } from "./freedom-controls.ts";
import { hostileControls } from "./hostile-controls.ts";
import { journalControls } from "./journal-controls.ts";
import { keyControls } from "./key-controls.ts";
import { ledgerControls } from "./ledger-controls.ts";
import type { Library } from "./library-types.ts";
import { listControls } from "./list-controls.ts";
import { marketControls } from "./market-controls.ts";
import { marketViews } from "./market-views.ts";
import { orderControls } from "./order-controls.ts";
import { outcomeControls } from "./outcome-controls.ts";
import { settingsControls } from "./settings-controls.ts";
import { health, stateHashControl } from "./venue-controls.ts";
import { worldControls } from "./world-controls.ts";

const ofOneWorld = [
  health,
  ...clockControls,
  ...faultControls,
  ...outcomeControls,
  ...settingsControls,
  ...freedomControls,
  ...hostileControls,
  ...exchangeControls,
  ...explainControls,
  ...capsuleControls,
  ...doctorControls,
  ...journalControls,
  stateHashControl,
  ...marketControls,
  ...marketViews,
  ...listControls,
  ...ledgerControls,
  ...orderControls,
  ...depositControls,
  ...accountControls,
  ...keyControls,
] as const;

/** Of one world; every world has them. */
export const controlRoutes: readonly ControlRoute[] = ofOneWorld;

/** With those of the worlds as a whole, as documents, command line and library list them. */
export const allControls: readonly ControlRoute[] = [...controlRoutes, ...worldControls];

/** `control.clock.advance({ ms })`. */
export type ControlLibrary = Library<(typeof ofOneWorld)[number] | (typeof worldControls)[number]>;
