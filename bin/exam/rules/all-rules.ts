import { beliefRules } from "./belief.ts";
import { conductRules } from "./conduct.ts";
import { orderRules } from "./orders.ts";
import { paceRules } from "./pace.ts";
import type { Rule } from "./rule.ts";

/** In the order of their ids, which are never used again. */
export const rules: readonly Rule[] = [...orderRules, ...paceRules, ...beliefRules, ...conductRules].toSorted(
  (a, b) => a.id.localeCompare(b.id),
);
