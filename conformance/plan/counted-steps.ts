import { forEachStep } from "../model/for-each-step.ts";
import type { Scenario } from "../model/scenario.ts";
import type { Fragment, Fragments, Step } from "../model/step.ts";
import type { ValueMap } from "../model/value.ts";
import type { Names } from "./known-values.ts";

/** The facts about a step that are known before the run. */
export interface CountedPlace {
  readonly names: Names;
  /** How often the step runs: rounds times branches. */
  readonly times: number;
  /** Is the step in a shared fragment? Its cost belongs to the run, not to the case. */
  readonly shared: boolean;
}

/** Visits every step of a row of a scenario, including fragments, rows and clean-up. */
export function forEachCountedStep(
  scenario: Omit<Scenario, "safety">,
  row: ValueMap,
  fragments: Fragments,
  visit: (step: Step, place: CountedPlace) => void,
): void {
  const start = { names: { vars: scenario.vars, row }, times: 1, shared: false };
  const visitor = {
    visit,
    inside,
    row: (place: CountedPlace, columns: ValueMap) => ({ ...place, names: withRow(place.names, columns) }),
  };
  for (const steps of [scenario.setup, scenario.steps, scenario.cleanup])
    forEachStep(steps, start, visitor, fragments);
}

function inside(place: CountedPlace, step: Step, fragment?: Fragment): CountedPlace {
  if (step.action === "repeat") return { ...place, times: place.times * step.times };
  if (step.action === "concurrent") return { ...place, times: place.times * step.fanout };
  if (step.action !== "use" || fragment === undefined) return place;
  const names = withVars(place.names, { ...fragment.vars, ...step.with });
  return { ...place, names, shared: place.shared || fragment.shared };
}

export const withRow = (names: Names, columns: ValueMap): Names => ({
  ...names,
  row: { ...names.row, ...columns },
});

/** A fragment sees the names of the case; its own names take precedence. */
export const withVars = (names: Names, own: ValueMap): Names => ({
  ...names,
  vars: { ...names.vars, ...own },
});
