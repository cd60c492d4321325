import { referencesIn } from "../model/expr.ts";
import { forEachStep } from "../model/for-each-step.ts";
import type { Path } from "../model/position.ts";
import type { Fragments, Step } from "../model/step.ts";
import { asMap, isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import type { Sections } from "../parse/scenario.ts";
import { didYouMean } from "../parse/suggest.ts";
import type { LintProblems } from "./lint-problems.ts";

/**
 * Checks that every `${name}` refers to a variable, a step, a capture or the row. A misspelt name would otherwise turn
 * a case into BLOCKED, which looks like a fault of the target. Captures of a fragment belong to the case that uses it;
 * in a fragment itself the names of its users are unknown.
 */
export function lintNames(
  file: ValueMap,
  { setup, steps, cleanup }: Sections,
  problems: LintProblems,
  fragments: Fragments,
): void {
  if (file["fragment"] !== undefined) return;
  const known = new Set(["id", "row", "sig", ...Object.keys(asMap(file["vars"]))]);
  const visit = (step: Step): void => {
    for (const name of namesLeftBy(step)) known.add(name);
  };
  for (const section of [setup, steps, cleanup]) forEachStep(section, undefined, { visit }, fragments);
  forEachText(file, [], (text, path) => {
    for (const reference of referencesIn(text)) {
      const head = reference.split(".")[0] ?? "";
      if (known.has(head)) continue;
      problems.say(path, `\${${reference}} is not defined in this file`, didYouMean(head, [...known]));
    }
  });
}

/** The names that a step defines: its own, its captures and its round. */
function namesLeftBy(step: Step): string[] {
  const own = [step.id, step.action === "repeat" ? step.as : undefined];
  return [...own.filter((name) => name !== undefined), ...Object.keys(step.capture)];
}

function forEachText(value: Value, path: Path, visit: (text: string, path: Path) => void): void {
  if (typeof value === "string") visit(value, path);
  else if (isList(value))
    for (const [index, item] of value.entries()) forEachText(item, [...path, index], visit);
  else if (isMap(value))
    for (const [key, item] of Object.entries(value)) forEachText(item, [...path, key], visit);
}
