import { durationMs, longestShiftMs } from "../model/duration.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Finding } from "../model/finding.ts";
import { Blocked } from "../model/outcome.ts";
import type { ClockStep, InjectStep, RepeatStep, Step, UseStep } from "../model/step.ts";
import { asMap, isList, type ValueMap } from "../model/value.ts";
import type { CaseRun } from "./case-run.ts";
import { runAssert, runCheck } from "./judge/check-step.ts";
import { requireCapability } from "./prepare/capability.ts";
import { type ConditionContext, holds } from "./prepare/conditions.ts";
import type { Scope } from "./prepare/scope.ts";
import { sendCall } from "./send/send-call.ts";
import { runConcurrent } from "./send/step-concurrent.ts";
import { runRaw } from "./send/step-raw.ts";
import { runStream } from "./send/step-stream.ts";
import { runNever, runPoll } from "./wait/step-waits.ts";

/** Runs steps in order. False if a hard failure of a step without `onFail: continue` ended the list. */
export async function runSteps(steps: readonly Step[], run: CaseRun, scope: Scope): Promise<boolean> {
  for (const step of steps) {
    if (run.session.elapsed() > run.deadline) throw run.tooLong();
    if (step.when !== undefined && !holds(step.when, conditionContext(run, scope))) continue;
    const rows: readonly (ValueMap | undefined)[] = step.rows.length === 0 ? [undefined] : step.rows;
    for (const [index, row] of rows.entries()) {
      const inner = row === undefined ? scope : scope.child({}, row);
      const label = row === undefined ? "" : String(row["name"] ?? index + 1);
      const fine = await runStep(narrowed(step, row), run, inner, label);
      if (!fine && step.onFail !== "continue") return false;
    }
  }
  return true;
}

/** `spec:` on a row of a step selects some of its clauses, as it does on a row of the case. */
function narrowed(step: Step, row: ValueMap | undefined): Step {
  const spec = row?.["spec"];
  return spec === undefined ? step : { ...step, spec: [spec].flat().map(String) };
}

async function runStep(step: Step, run: CaseRun, scope: Scope, label: string): Promise<boolean> {
  const before = run.findings.length;
  const whole = await act(step, run, scope);
  if (typeof whole === "object") {
    run.keep(step, scope, whole);
    scope.note(whole);
  }
  // The step that waited has already reported a missing message.
  if (step.action === "ws" && whole === false) return false;
  run.judge(step, scope, typeof whole === "object" ? whole : undefined, label);
  const hard = run.findings.slice(before).some(endsTheList);
  return !hard && whole !== false;
}

/** After a failure, or without a needed answer, the following steps have no basis. */
function endsTheList({ severity, indeterminate, strength }: Finding): boolean {
  return severity === "fail" || (indeterminate === true && strength === "expect");
}

/** An exchange if the step has one; otherwise whether its inner steps ran to their end. */
async function act(step: Step, run: CaseRun, scope: Scope): Promise<Exchange | boolean> {
  switch (step.action) {
    case "call":
      return sendCall(step.call, step, run, scope);
    case "poll":
      return runPoll(step, run, scope);
    case "never":
      return runNever(step, run, scope);
    case "raw":
      return runRaw(step, run, scope);
    case "concurrent":
      await runConcurrent(step, run, scope, runStep);
      return true;
    case "repeat":
      return repeat(step, run, scope);
    case "group":
      return runSteps(step.steps, run, scope);
    case "use":
      return useFragment(step, run, scope);
    case "assert":
      return run.look(step, () => runAssert(step, run, scope)) ?? true;
    case "check":
      run.look(step, () => runCheck(step, run, scope));
      return true;
    case "clock":
      await moveClock(step, run, scope);
      return true;
    case "inject":
      await inject(step, run, scope);
      return true;
    case "sleep":
      await run.sleep(step.forMs);
      return true;
    case "ws":
      return runStream(step, run, scope);
    default:
      return step satisfies never;
  }
}

async function repeat(step: RepeatStep, run: CaseRun, scope: Scope): Promise<boolean> {
  for (let round = 1; round <= step.times; round += 1) {
    const inner = scope.child(step.as === undefined ? {} : { [step.as]: String(round) });
    if (!(await runSteps(step.steps, run, inner))) return false;
  }
  return true;
}

/** A fragment sees the names of the case; `with` and its own vars take precedence. */
async function useFragment(step: UseStep, run: CaseRun, scope: Scope): Promise<boolean> {
  const fragment = run.session.parts.fragments.get(step.fragment);
  if (fragment === undefined) throw new Blocked(`there is no fragment ${step.fragment}`);
  const given = asMap(run.evaluator.value(step.with, scope));
  if (fragment.shared) return run.session.shared.use(fragment, given, run, scope, runSteps);
  return runSteps(fragment.steps, run, scope.child({ ...fragment.vars, ...given }));
}

async function moveClock({ clock }: ClockStep, run: CaseRun, scope: Scope): Promise<void> {
  requireCapability("clock.control", run.session);
  const { advance, set } = asMap(run.evaluator.value(clock, scope));
  if (typeof advance === "string") await advanceClock(durationMs(advance, longestShiftMs) ?? 0, run);
  else if (typeof set === "string") await run.session.control().setClock(set);
  else await run.session.control().advance(0);
}

const longestWaitMs = 5_000;
/** The shortest pause before the next look: other cases cause due events all the time. */
const leastLookMs = 10;

/**
 * A clock that follows real time cannot be moved: the kit waits until the events of that time are due, or for the whole
 * time if the target does not tell them.
 */
async function advanceClock(milliseconds: number, run: CaseRun): Promise<void> {
  const control = run.session.control();
  if (await control.advance(milliseconds)) return;
  if (milliseconds > longestWaitMs)
    throw new Blocked(
      `the clock of the target follows real time, and ${milliseconds} ms are too long to wait`,
    );
  const end = performance.now() + milliseconds;
  for (let rest = milliseconds; rest > 0; rest = end - performance.now()) {
    const due = await control.dueIn();
    if (due === undefined || (due !== "unknown" && due > rest)) return;
    await run.pause(due === "unknown" ? rest : Math.min(rest, Math.max(due, leastLookMs)));
  }
}

async function inject(step: InjectStep, run: CaseRun, scope: Scope): Promise<void> {
  requireCapability("fault.inject", run.session);
  const fault = asMap(run.evaluator.value(step.fault, scope));
  if (fault["clear"] === true) {
    await run.session.control().clearFaults();
    run.session.faulty = false;
    return;
  }
  await run.session.control().inject(isList(fault["rules"]) ? fault["rules"] : [fault]);
  run.session.faulty = true;
}

function conditionContext(run: CaseRun, scope: Scope): ConditionContext {
  const { session, row, evaluator } = run;
  return { session, row, want: () => evaluator.text("${row.want}", scope) };
}
