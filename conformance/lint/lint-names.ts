import { referencesIn, variablesIn } from "../model/expr.ts";
import { forEachStep } from "../model/for-each-step.ts";
import type { Path } from "../model/position.ts";
import type { Fragments, Step } from "../model/step.ts";
import { didYouMean } from "../model/suggest.ts";
import { asMap, isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import type { Sections } from "../parse/scenario.ts";
import type { LintProblems } from "./lint-problems.ts";

/**
 * Checks that every name in `${name}`, `$eqVar: name`, `$neVar: name` and `replayed(name)` is a variable, a
 * step, a capture or the row. A misspelt name would otherwise block a case, or hold an answer against nothing, which
 * looks like a fault of the target. Captures of a fragment belong to the case that uses it;
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
    for (const name of variablesIn(text, String(path.at(-1) ?? ""))) {
      if (known.has(name)) continue;
      problems.say(path, `${shown(name, text)} is not defined in this file`, didYouMean(name, [...known]));
    }
  });
}

/** The reference as it is written, or the bare name. */
const shown = (name: string, text: string): string => {
  const reference = referencesIn(text).find((whole) => whole.split(".")[0] === name);
  return reference === undefined ? name : `\${${reference}}`;
};

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
