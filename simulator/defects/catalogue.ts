/** Every bug and legal variation that this simulator can be started with; those of single fields are made by their names. */

import type { Defect } from "../variations/defect.ts";
import { legalAnswers } from "../variations/legal-answers.ts";
import { legalRules } from "../variations/legal-rules.ts";
import { accessDefects } from "./access.ts";
import { credentialDefects } from "./credentials.ts";
import { freshnessDefects } from "./freshness.ts";
import { idempotencyDefects } from "./idempotency.ts";
import { independentDefects } from "./independent/all.ts";
import { marketDefects } from "./market.ts";
import { mistakenDefects } from "./mistaken.ts";
import { moneyDefects } from "./money.ts";
import { orderKindDefects } from "./order-kinds.ts";
import { orderDefects } from "./orders.ts";
import { ownershipDefects } from "./ownership.ts";
import { placementDefects } from "./placement.ts";
import { resultDefects } from "./results.ts";
import { signatureDefects } from "./signatures.ts";
import { sizeDefects } from "./sizes.ts";
import { streamDefects } from "./stream.ts";

/** In the order of their ids. */
export const defects: readonly Defect[] = [
  ...mistakenDefects,
  ...signatureDefects,
  ...credentialDefects,
  ...freshnessDefects,
  ...idempotencyDefects,
  ...orderKindDefects,
  ...placementDefects,
  ...sizeDefects,
  ...resultDefects,
  ...orderDefects,
  ...accessDefects,
  ...legalAnswers,
  ...legalRules,
  ...streamDefects,
  ...moneyDefects,
  ...marketDefects,
  ...ownershipDefects,
  ...independentDefects,
].toSorted((a, b) => (a.id < b.id ? -1 : 1));
