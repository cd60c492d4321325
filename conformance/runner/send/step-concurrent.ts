import { isBusy } from "../../client/busy.ts";
import { isOrder } from "../../client/order-scan.ts";
import type { Exchange } from "../../model/exchange.ts";
import { Blocked } from "../../model/outcome.ts";
import type { CallStep, ConcurrentStep, Step } from "../../model/step.ts";
import { type FilledCall, readCall } from "../../plan/call.ts";
import type { CaseRun } from "../case-run.ts";
import { planRequest } from "../prepare/plan-request.ts";
import { type Scope } from "../prepare/scope.ts";
import { expectedOf } from "./send-call.ts";
import type { Sender } from "./sender.ts";

type RunStep = (step: Step, run: CaseRun, scope: Scope, label: string) => Promise<boolean>;

/**
 * Runs branches at once, each `fanout` times. `barrier` releases the last bytes of their first calls together, from
 * separate connections; `stagger` starts them a few milliseconds apart, `none` starts them without a delay. The other
 * steps of a branch follow its first one, in parallel to the other branches. Collected exchanges are in the order of
 * the answers.
 */
export async function runConcurrent(
  step: ConcurrentStep,
  run: CaseRun,
  scope: Scope,
  runStep: RunStep,
): Promise<void> {
  const { fanout, release, collect } = step;
  const branches = step.branches.flatMap((branch) => Array.from({ length: fanout }, () => branch));
  const limit = run.session.profile.safety.budget.concurrency;
  if (branches.length > limit)
    throw new Blocked(
      `${branches.length} calls at once: the profile allows ${limit} (safety.budget.concurrency)`,
    );
  const seen: Exchange[] = [];
  const inner = scope.child({}, undefined, (exchange) => seen.push(exchange));
  if (release === "barrier") await releaseTogether(step, branches, run, inner, runStep);
  else {
    await Promise.all(
      branches.map(async (steps, index) => {
        if (release === "stagger") await run.pause(index * staggerMs);
        await follow(steps, run, inner, String(index + 1), runStep);
      }),
    );
  }
  if (collect !== undefined)
    scope.collect(
      collect,
      seen.toSorted((a, b) => a.endedAt - b.endedAt),
    );
}

const staggerMs = 3;

async function releaseTogether(
  step: Step,
  branches: readonly (readonly Step[])[],
  run: CaseRun,
  scope: Scope,
  runStep: RunStep,
): Promise<void> {
  const calls = branches.map(firstCall);
  const filled = calls.map((call) => ({
    call: readCall(run.evaluator.value(call.call, scope)),
    sender: run.at(call),
  }));
  const exchanges = await sendTogether(filled, run);
  // Calls of a race are not sent again, so what they show together is unknown when the target was busy (AS-30).
  let busy: number | undefined;
  for (const [index, exchange] of exchanges.entries()) {
    const call = calls[index];
    const together = step.id ?? step.action;
    run.trace.add(`${call?.id ?? together}[${index + 1}]`, exchange, { together });
    if (call === undefined) continue;
    const status = exchange.reply?.status ?? 0;
    if (isBusy(exchange) && !expectedOf(call, run, scope).names(status)) {
      busy ??= status;
      continue;
    }
    run.keep(call, scope, exchange);
    scope.note(exchange);
    run.judge(call, scope, exchange, String(index + 1));
  }
  if (busy !== undefined)
    throw new Blocked(
      `the target was busy: it answered one of ${exchanges.length} calls at once with ${busy}`,
    );
  await Promise.all(
    branches.map((steps, index) => follow(steps.slice(1), run, scope, String(index + 1), runStep)),
  );
}

/** Runs one branch after its release; a hard failure of a step without `onFail: continue` ends only this branch. */
async function follow(
  steps: readonly Step[],
  run: CaseRun,
  scope: Scope,
  label: string,
  runStep: RunStep,
): Promise<void> {
  for (const step of steps.map(onItsOwnConnection))
    if (!(await runStep(step, run, scope, label)) && step.onFail !== "continue") return;
}

/** Requests on one connection would wait for each other. */
function onItsOwnConnection(step: Step): Step {
  return step.action === "call" ? { ...step, call: { pool: "fresh", ...step.call } } : step;
}

function firstCall(branch: readonly Step[]): CallStep {
  const [call] = branch;
  if (call === undefined || call.action !== "call")
    throw new Blocked("a branch that is released at a barrier begins with a call");
  return call;
}

async function sendTogether(
  calls: readonly { readonly call: FilledCall; readonly sender: Sender }[],
  run: CaseRun,
): Promise<Exchange[]> {
  const { session } = run;
  const requests = calls.map(({ call, sender }) => session.prepare(planRequest(call, sender)));
  run.spend(requests.length, requests.filter(isOrder).length);
  const leaving = new Set(calls.flatMap(({ call }, index) => (call.abandon === undefined ? [] : [index])));
  const { target } = session.parts;
  const exchanges = await target.sendTogether(requests, session.profile.timeouts.requestMs, leaving);
  for (const exchange of exchanges) session.observe(exchange, false);
  return exchanges;
}
