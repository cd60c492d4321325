/** Every defect and variation that this simulator can be started with, by id. */
import { CREDENTIAL_DEFECTS } from "./credentials.ts";
import type { Defect } from "./defect.ts";
import { FRESHNESS_DEFECTS } from "./freshness.ts";
import { SIGNATURE_DEFECTS } from "./signatures.ts";

export const DEFECTS: ReadonlyMap<string, Defect> = new Map(
  [SIGNATURE_DEFECTS, CREDENTIAL_DEFECTS, FRESHNESS_DEFECTS].flat().map((one) => [one.id, one]),
);
