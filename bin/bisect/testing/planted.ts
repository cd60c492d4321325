/** Clients that are wrong in one thing, and the points that bring it out. */
import path from "node:path";
import process from "node:process";
import { packageRoot } from "../../../conformance/commands.ts";

export interface PlantedClient {
  readonly name: string;
  readonly mistake: string;
  /** For the shell. */
  readonly command: string;
  /** Any one of these, alone, is the right answer. */
  readonly causes: RegExp;
}

const planted = (file: string, mistake: string, causes: RegExp): PlantedClient => ({
  name: path.basename(file, ".mjs"),
  mistake,
  command: `"${process.execPath}" "${path.join(packageRoot(), file)}"`,
  causes,
});

export const plantedClients: readonly PlantedClient[] = [
  planted(
    "docs/clients/hasty.mjs",
    "a fresh client_order_id after a lost answer",
    /^(?:lost-answer|reset-after-order|cut-answer)$/,
  ),
  planted("bin/bisect/testing/sync-cancel.mjs", "a cancel is taken for done", /^F-cancel-mode=asynchronous$/),
  planted(
    "bin/bisect/testing/open-at-once.mjs",
    "a new order is taken for OPEN",
    /^F-initial-status=PENDING$/,
  ),
  planted(
    "bin/bisect/testing/array-list.mjs",
    "open orders are taken for an array",
    /^F-open-orders-shape=paged$/,
  ),
  planted(
    "bin/bisect/testing/compared-as-text.mjs",
    "amounts are compared as texts",
    /^F-decimal-output=fixed-scale$/,
  ),
];
