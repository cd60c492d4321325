import type { Fragment } from "../model/step.ts";
import type { ValueMap } from "../model/value.ts";
import { CaseRun } from "./case-run.ts";
import { Scope } from "./prepare/scope.ts";

/** What a shared fragment left behind: names and replies in its scope, differences in its run. */
interface SharedResult {
  readonly run: CaseRun;
  readonly scope: Scope;
  readonly complete: boolean;
}

type RunSteps = (steps: Fragment["steps"], run: CaseRun, scope: Scope) => Promise<boolean>;

/**
 * Fragments that are shared: the first case that uses one runs its steps, the others wait for them and get the same
 * replies, so that one order carries all the reads and repeats that speak about it. What its steps found out is
 * charged to each case that uses it, by the clauses of that case. Its orders belong to the run and are cancelled when
 * the run ends. A fragment that could not run is not tried again; one that is used with other values is another one.
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
