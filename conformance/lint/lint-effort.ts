import { forEachStep } from "../model/for-each-step.ts";
import type { Problem } from "../model/position.ts";
import { isWithin } from "../model/profile.ts";
import { rowsOf, type Scenario } from "../model/scenario.ts";
import { type Fragments, type Step } from "../model/step.ts";
import type { Source } from "../parse/source.ts";
import { type Effort, effortOfCase } from "../plan/effort.ts";

/**
 * Compares the author's claims about a case with its steps. A class that is too mild would send orders where a profile
 * allows none, and a cost that is too low would block the case in every run.
 */
export function lintEffort(source: Source, scenario: Scenario, fragments: Fragments): Problem[] {
  const efforts = rowsOf(scenario).map((row) => ({
    id: row.id,
    allowed: row.scenario.safety,
    ...effortOfCase(row, fragments),
  }));
  const wilder = efforts.find(({ safety, allowed }) => !isWithin(safety, allowed));
  const problems =
    wilder === undefined
      ? []
      : [
          source.problem(
            ["safety"],
            `${wilder.id} is at least "${wilder.safety}", and safety says "${wilder.allowed}"`,
            { hint: adviceOn(wilder) },
          ),
        ];
  for (const { id, unsendable } of efforts)
    for (const { position, problem } of unsendable)
      problems.push({ position, message: `${id}: this cannot be sent: ${problem}` });
  for (const what of ["requests", "orders"] as const) {
    const most = scenario.cost[what];
    const dearer = most === undefined ? undefined : efforts.find((effort) => effort[what] > most);
    if (dearer === undefined) continue;
    const message = `${dearer.id} needs at least ${dearer[what]} ${what}, and cost.${what} allows ${most}`;
    problems.push(source.problem(["cost", what], message));
  }
  return problems;
}

function adviceOn({ safety }: Effort): string {
  return safety === "rests" || safety === "trades"
    ? `write safety: ${safety}, or let each order step expect a refusal (status 4xx, $macro: invalid, refused, rejected, unauthorized)`
    : `write safety: ${safety}`;
}

/** A fragment that uses itself, directly or through others, would never end. */
export function circleOf(name: string, fragments: Fragments): readonly string[] | undefined {
  const seen = new Set<string>();
  const visit = (at: string, path: readonly string[]): readonly string[] | undefined => {
    if (path.includes(at)) return [...path.slice(path.indexOf(at)), at];
    if (seen.size === seen.add(at).size) return undefined;
    const steps = fragments.get(at)?.steps ?? [];
    for (const next of usedIn(steps)) {
      const circle = visit(next, [...path, at]);
      if (circle !== undefined) return circle;
    }
    return undefined;
  };
  return visit(name, []);
}

function usedIn(steps: readonly Step[]): string[] {
  const used: string[] = [];
  const visit = (step: Step): void => {
    if (step.action === "use") used.push(step.fragment);
  };
  forEachStep(steps, undefined, { visit });
  return used;
}
