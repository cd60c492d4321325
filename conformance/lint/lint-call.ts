import { pathParameters, queryParameters } from "../contract/operations.ts";
import { isOpen } from "../model/expr.ts";
import type { Call } from "../model/language.ts";
import type { Path } from "../model/position.ts";
import { didYouMean } from "../model/suggest.ts";
import { isMap, type Value } from "../model/value.ts";
import type { LintProblems } from "./lint-problems.ts";

/** Parameters that the operation does not have: they would go nowhere, or into a query that no target reads. */
export function lintParams({ op, params }: Call, path: Path, problems: LintProblems): void {
  const inPath = pathParameters[op ?? ""];
  const known = [...(inPath === undefined ? [] : [inPath]), ...(queryParameters[op ?? ""] ?? [])];
  if (op === undefined || isOpen(op) || known.length === 0 || !isMap(params)) return;
  for (const name of Object.keys(params).filter((one) => !known.includes(one)))
    problems.say(
      [...path, "params", name],
      `${op} has no parameter "${name}"`,
      didYouMean(name, known) ?? `it has ${known.join(", ")}`,
      "key",
    );
}

/** A text that is captured is a pointer: `#/data/order/id`, `#order/id`, `#event/order/id`. */
export const pointerForm = /^#(?:order|event)?(?:\/|$)/;

export function lintCaptures(
  capture: Readonly<Record<string, Value>>,
  path: Path,
  problems: LintProblems,
): void {
  for (const [name, source] of Object.entries(capture)) {
    if (typeof source !== "string" || isOpen(source) || pointerForm.test(source)) continue;
    const meant = source.replace(/^[#$/.]*/, "").replaceAll(".", "/");
    problems.say(
      [...path, name],
      `"${source}" is no pointer: a captured value is at '#/…' of the answer, '#order/…' or '#event/…'`,
      `did you mean '#/${meant}'?`,
    );
  }
}
