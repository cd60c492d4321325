import type { Step } from "../model/scenario.ts";
import { isList, isMap, type Value, type ValueMap } from "../model/value.ts";
import type { FragmentSteps } from "../parse/effort.ts";
import type { Path } from "../parse/source.ts";
import { didYouMean } from "../parse/suggest.ts";
import type { LintProblems } from "./lint-problems.ts";

/**
 * Every `${name}` stands for something: a variable, a step, a capture, the row. A misspelt name would otherwise turn a
 * case into BLOCKED, which looks like the target's fault. What a fragment captures belongs to the case that uses it; in
 * a fragment itself the names of its users cannot be known.
 */
export function lintNames(file: ValueMap, problems: LintProblems, fragments: FragmentSteps): void {
  if (file["fragment"] !== undefined) return;
  const known = new Set(["id", "row", "sig", ...Object.keys(isMap(file["vars"]) ? file["vars"] : {})]);
  walk(file, [], (value) => {
    if (!isMap(value)) return;
    if (typeof value["id"] === "string") known.add(value["id"]);
    if (typeof value["as"] === "string") known.add(value["as"]);
    if (isMap(value["capture"])) for (const name of Object.keys(value["capture"])) known.add(name);
    const { use } = value;
    for (const name of namesLeftBy(isMap(use) ? use["fragment"] : use, fragments)) known.add(name);
  });
  walk(file, [], (value, path) => {
    if (typeof value !== "string") return;
    for (const [, reference = ""] of value.matchAll(/\$\{([^}]+)\}/g)) {
      const head = reference.split(".")[0] ?? "";
      if (known.has(head)) continue;
      problems.say(path, `\${${reference}} is not defined in this file`, didYouMean(head, [...known]));
    }
  });
}

/** Steps and captures of a fragment and of those that it uses. */
function namesLeftBy(name: Value | undefined, fragments: FragmentSteps): string[] {
  const fragment = typeof name === "string" ? fragments.get(name) : undefined;
  return fragment === undefined ? [] : fragment.steps.flatMap((step) => namesOf(step, fragments));
}

function namesOf(step: Step, fragments: FragmentSteps): string[] {
  const { argument } = step;
  const used = isMap(argument) ? argument["fragment"] : argument;
  return [
    ...(step.id === undefined ? [] : [step.id]),
    ...Object.keys(step.capture),
    ...(step.action === "use" ? namesLeftBy(used, fragments) : []),
    ...[...step.steps, ...step.branches.flat()].flatMap((inner) => namesOf(inner, fragments)),
  ];
}

function walk(value: Value, path: Path, visit: (value: Value, path: Path) => void): void {
  visit(value, path);
  if (isList(value)) for (const [index, item] of value.entries()) walk(item, [...path, index], visit);
  else if (isMap(value)) for (const [key, item] of Object.entries(value)) walk(item, [...path, key], visit);
}
