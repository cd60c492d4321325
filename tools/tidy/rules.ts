import { absence } from "./absence.ts";
import { twoBoundaries } from "./boundaries.ts";
import { citedClauses, citedFreedoms } from "./citations.ts";
import { documentedDependencies } from "./dependencies.ts";
import { glossary } from "./glossary.ts";
import { header } from "./header.ts";
import { layering } from "./layering.ts";
import { onDemand } from "./on-demand.ts";
import { references } from "./references.ts";
import type { Rule } from "./rule.ts";
import { noMachines, whitespace } from "./text.ts";

/** Each is a row of its own in the test that reads the project. */
export const rules: readonly Rule[] = [
  layering,
  onDemand,
  twoBoundaries,
  whitespace,
  noMachines,
  citedClauses,
  citedFreedoms,
  references,
  documentedDependencies,
  glossary,
  header,
  absence,
];
