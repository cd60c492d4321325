import type { Fragment, Fragments, Step } from "./step.ts";
import type { ValueMap } from "./value.ts";

/**
 * The callbacks of a walk over steps. `row` and `inside` return the context for the steps further down; without them the
 * context stays the same.
 */
export interface StepVisitor<C> {
  readonly visit: (step: Step, context: C) => void;
  /** False: the step is skipped. Called before its rows. */
  readonly applies?: (step: Step, context: C) => boolean;
  /** Called for each row of the step. Without it a step with rows is visited once. */
  readonly row?: (context: C, columns: ValueMap) => C;
  /** Called before a branch, a round of a loop, a group, or the fragment of a `use`. */
  readonly inside?: (context: C, step: Step, fragment?: Fragment) => C;
  /** Called after the steps of a fragment. */
  readonly leave?: (context: C, inner: C, fragment: Fragment) => void;
}

/** Lint refuses fragments that use each other deeper than this; the visitor stops there. */
const mostNesting = 12;

/**
 * The one visitor of the steps of a case. It visits them in order, each step before its inner steps, and visits a
 * fragment in place of its use if the fragments are given.
 */
export function forEachStep<C>(
  steps: readonly Step[],
  context: C,
  visitor: StepVisitor<C>,
  fragments: Fragments = noFragments,
  depth = 0,
): void {
  if (depth > mostNesting) return;
  const { row } = visitor;
  for (const step of steps) {
    if (visitor.applies?.(step, context) === false) continue;
    const rows = row === undefined ? [] : step.rows.map((columns) => row(context, columns));
    for (const here of rows.length === 0 ? [context] : rows) {
      visitor.visit(step, here);
      enter(step, here, visitor, fragments, depth + 1);
    }
  }
}

const noFragments: Fragments = new Map();

function enter<C>(
  step: Step,
  context: C,
  visitor: StepVisitor<C>,
  fragments: Fragments,
  depth: number,
): void {
  const inside = (fragment?: Fragment): C => visitor.inside?.(context, step, fragment) ?? context;
  if (step.action === "repeat" || step.action === "group")
    forEachStep(step.steps, inside(), visitor, fragments, depth);
  else if (step.action === "concurrent")
    for (const branch of step.branches) forEachStep(branch, inside(), visitor, fragments, depth);
  else if (step.action === "use") {
    const fragment = fragments.get(step.fragment);
    if (fragment === undefined) return;
    const inner = inside(fragment);
    forEachStep(fragment.steps, inner, visitor, fragments, depth);
    visitor.leave?.(context, inner, fragment);
  }
}
