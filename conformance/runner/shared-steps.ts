import type { Fragment } from "../model/step.ts";
import type { ValueMap } from "../model/value.ts";
import { CaseRun } from "./case-run.ts";
import { Scope } from "./prepare/scope.ts";

/** The results of a shared fragment: names and replies in its scope, differences in its run. */
interface SharedResult {
  readonly run: CaseRun;
  readonly scope: Scope;
  readonly complete: boolean;
}

type RunSteps = (steps: Fragment["steps"], run: CaseRun, scope: Scope) => Promise<boolean>;

/**
 * Shared fragments: the first case that uses one runs its steps, and the others wait for it and reuse its replies, so
 * that one order serves all its reads and repeats. Findings of its steps are charged to each case that uses it, by the
 * clauses of that case. Its orders belong to the run and are cancelled at the end of the run. A fragment that could not
 * run is not tried again. With other values it is another fragment.
 */
export class SharedSteps {
  readonly #results = new Map<string, Promise<SharedResult>>();

  async use(
    fragment: Fragment,
    given: ValueMap,
    user: CaseRun,
    scope: Scope,
    runSteps: RunSteps,
  ): Promise<boolean> {
    const id = `shared:${fragment.name}${Object.keys(given).length === 0 ? "" : JSON.stringify(given)}`;
    const made = this.#results.get(id) ?? this.#make(id, fragment, given, user, runSteps);
    this.#results.set(id, made);
    const { run, scope: left, complete } = await made;
    for (const { step, strength, differences, exchange, label } of run.reports)
      user.report(step, strength, differences, exchange, label);
    Object.assign(user.observations, run.observations);
    for (const [name, { exchange }] of left.records()) user.trace.add(name, exchange);
    scope.adopt(left);
    return complete;
  }

  async #make(
    id: string,
    fragment: Fragment,
    given: ValueMap,
    user: CaseRun,
    runSteps: RunSteps,
  ): Promise<SharedResult> {
    if (user.row.id === id) throw new Error(`the fragment ${fragment.name} uses itself`);
    const { session, evaluator, permit, row, signal } = user;
    const scenario = { ...row.scenario, cost: {} };
    const sender = { session, evaluator: evaluator.of(id), permit: { ...permit, caseId: id } };
    const run = new CaseRun(sender, { ...row, id, scenario }, { signal });
    const scope = new Scope({ ...fragment.vars, ...given }, undefined);
    try {
      return { run, scope, complete: await runSteps(fragment.steps, run, scope) };
    } finally {
      run.releaseStreams();
    }
  }
}
