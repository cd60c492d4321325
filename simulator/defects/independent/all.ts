/**
 * Bugs found by someone who knows the specification and the venue but not the suite: they measure how much of what was
 * not thought of when the scenarios were written is detected all the same.
 */
import type { Defect } from "../defect.ts";
import { CALLERS } from "./callers.ts";
import { LISTS } from "./lists.ts";
import { NONCES } from "./nonces.ts";
import { NUMBERS } from "./numbers.ts";
import { ORDER_FIELDS } from "./order-fields.ts";
import { ORDER_RULES } from "./order-rules.ts";
import { OUTCOMES } from "./outcomes.ts";
import { RECORDS } from "./records.ts";
import { REPEATS } from "./repeats.ts";
import { SIGNATURES } from "./signatures.ts";

export const INDEPENDENT_DEFECTS: readonly Defect[] = [
  ...SIGNATURES,
  ...NONCES,
  ...CALLERS,
  ...ORDER_FIELDS,
  ...ORDER_RULES,
  ...NUMBERS,
  ...REPEATS,
  ...OUTCOMES,
  ...LISTS,
  ...RECORDS,
];
