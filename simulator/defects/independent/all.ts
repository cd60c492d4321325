/**
 * Bugs by an author who knew the specification and the venue, but not the suite. They measure how many bugs are detected
 * that the scenarios were not written for.
 */
import type { Defect } from "../../variations/defect.ts";
import { callers } from "./callers.ts";
import { lists } from "./lists.ts";
import { nonces } from "./nonces.ts";
import { numbers } from "./numbers.ts";
import { orderFields } from "./order-fields.ts";
import { orderRules } from "./order-rules.ts";
import { outcomes } from "./outcomes.ts";
import { records } from "./records.ts";
import { repeatBugs } from "./repeats.ts";
import { signatures } from "./signatures.ts";

export const independentDefects: readonly Defect[] = [
  ...signatures,
  ...nonces,
  ...callers,
  ...orderFields,
  ...orderRules,
  ...numbers,
  ...repeatBugs,
  ...outcomes,
  ...lists,
  ...records,
];
