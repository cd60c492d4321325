/** Every bug and legal habit that this simulator can be started with; those of single fields are made by their names. */
import { ACCESS_DEFECTS } from "./access.ts";
import { CREDENTIAL_DEFECTS } from "./credentials.ts";
import type { Defect } from "./defect.ts";
import { FRESHNESS_DEFECTS } from "./freshness.ts";
import { IDEMPOTENCY_DEFECTS } from "./idempotency.ts";
import { INDEPENDENT_DEFECTS } from "./independent/all.ts";
import { LEGAL_ANSWERS } from "./legal-answers.ts";
import { LEGAL_RULES } from "./legal-rules.ts";
import { MONEY_DEFECTS } from "./money.ts";
import { ORDER_KIND_DEFECTS } from "./order-kinds.ts";
import { ORDER_DEFECTS } from "./orders.ts";
import { OWNERSHIP_DEFECTS } from "./ownership.ts";
import { PLACEMENT_DEFECTS } from "./placement.ts";
import { RESULT_DEFECTS } from "./results.ts";
import { SIGNATURE_DEFECTS } from "./signatures.ts";
import { SIZE_DEFECTS } from "./sizes.ts";
import { STREAM_DEFECTS } from "./stream.ts";

/** In the order of their ids. */
export const DEFECTS: readonly Defect[] = [
  ...SIGNATURE_DEFECTS,
  ...CREDENTIAL_DEFECTS,
  ...FRESHNESS_DEFECTS,
  ...IDEMPOTENCY_DEFECTS,
  ...ORDER_KIND_DEFECTS,
  ...PLACEMENT_DEFECTS,
  ...SIZE_DEFECTS,
  ...RESULT_DEFECTS,
  ...ORDER_DEFECTS,
  ...ACCESS_DEFECTS,
  ...LEGAL_ANSWERS,
  ...LEGAL_RULES,
  ...STREAM_DEFECTS,
  ...MONEY_DEFECTS,
  ...OWNERSHIP_DEFECTS,
  ...INDEPENDENT_DEFECTS,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));
