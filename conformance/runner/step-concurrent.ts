import { type Placement, type PlacementOutcome, placementProblem } from "../check/linearizable.ts";
import { readJson } from "../check/lossless-json.ts";
import { match } from "../check/match.ts";
import { resolvePointer } from "../check/pointer.ts";
import { isOrder } from "../client/order-scan.ts";
import type { Exchange } from "../model/exchange.ts";
import { Blocked } from "../model/outcome.ts";
import type { Step } from "../model/scenario.ts";
import type { ValueMap } from "../model/value.ts";
import { asMap } from "../parse/scenario.ts";
import type { CaseRun } from "./case-run.ts";
import { planRequest } from "./plan-request.ts";
import { type Scope, toJson } from "./scope.ts";
import { abandonOf } from "./send-call.ts";
import { runStreamCheck } from "./stream-laws.ts";

type RunStep = (step: Step, run: CaseRun, scope: Scope, label: string) => Promise<boolean>;

/**
 * Branches at once, each `fanout` times. `barrier` releases the last bytes of their first calls together, from
 * connections of their own; `stagger` lets them begin a few milliseconds apart, `none` as they come. The further steps
 * of a branch follow its first one, beside the other branches. What is collected is in the order of the answers.
 */
export async function runConcurrent(step: Step, run: CaseRun, scope: Scope, runStep: RunStep): Promise<void> {
  const options = asMap(step.argument);
  const fanout = Number(options["fanout"] ?? 1);
  const branches = step.branches.flatMap((branch) => Array.from({ length: fanout }, () => branch));
  const limit = run.session.profile.safety.budget.concurrency;
  if (branches.length > limit)
    throw new Blocked(
      `${branches.length} calls at once: the profile allows ${limit} (safety.budget.concurrency)`,
    );
  const seen: Exchange[] = [];
  const inner = scope.child({}, undefined, (exchange) => seen.push(exchange));
  const how = String(options["release"] ?? "barrier");
  if (how === "barrier") await releaseTogether(step, branches, run, inner, runStep);
  else {
    await Promise.all(
      branches.map(async (steps, index) => {
        if (how === "stagger") await run.pause(index * staggerMs);
        await follow(steps, run, inner, String(index + 1), runStep);
      }),
    );
  }
  if (typeof options["collect"] === "string")
    scope.collect(
      options["collect"],
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
  const filled = calls.map((call) => asMap(run.evaluator.value(call.argument, scope)));
  const exchanges = await sendTogether(filled, run);
  for (const [index, exchange] of exchanges.entries()) {
    const call = calls[index];
    const together = step.id ?? step.action;
    run.trace.add(`${call?.id ?? together}[${index + 1}]`, exchange, { together });
    if (call === undefined) continue;
    run.keep(call, scope, exchange);
    scope.note(exchange);
    run.judge(call, scope, exchange, String(index + 1));
  }
  await Promise.all(
    branches.map((steps, index) => follow(steps.slice(1), run, scope, String(index + 1), runStep)),
  );
}

/** One branch after its release; a hard failure of a step that does not say `onFail: continue` ends it alone. */
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
  return step.action === "call" ? { ...step, argument: { pool: "fresh", ...asMap(step.argument) } } : step;
}

function firstCall(branch: readonly Step[]): Step {
  const [call] = branch;
  if (call === undefined || call.action !== "call")
    throw new Blocked("a branch that is released at a barrier begins with a call");
  return call;
}

async function sendTogether(calls: readonly ValueMap[], run: CaseRun): Promise<Exchange[]> {
  const { session } = run;
  const requests = calls.map((call) => session.prepare(planRequest(call, run)));
  run.spend(requests.length, requests.filter(isOrder).length);
  const leaving = new Set(calls.flatMap((call, index) => (abandonOf(call) === undefined ? [] : [index])));
  const { target } = session.parts;
  const exchanges = await target.sendTogether(requests, session.profile.timeouts.requestMs, leaving);
  for (const exchange of exchanges) session.observe(exchange, false);
  return exchanges;
}

/** `check`: laws over collected lists. */
export function runCheck(step: Step, run: CaseRun, scope: Scope): void {
  const check = asMap(step.argument);
  const { history: past, in: inside, multiset, numbered, book } = check;
  const names = [past ?? inside ?? multiset ?? numbered ?? book].flat().map(String);
  const name = names.join(", ");
  const history = historyOf(names, scope);
  if (check["linearizable"] !== undefined) {
    const problem = placementProblem(history.map((exchange) => toPlacement(exchange, run)));
    if (problem !== undefined)
      run.report(step, "expect", [
        { pointer: name, expected: "at most one order per client_order_id", actual: problem },
      ]);
    return;
  }
  if (numbered !== undefined || book !== undefined) return runStreamCheck(check, history, step, run, scope);
  const pointer = typeof check["unique"] === "string" ? check["unique"] : "#/data/type";
  const values = history
    .map((exchange) => resolvePointer(exchange.json, pointer))
    .filter((value) => value !== undefined);
  if (check["unique"] !== undefined) {
    const texts = values.map((value) => JSON.stringify(value));
    const repeated = texts.filter((text, index) => texts.indexOf(text) !== index);
    if (repeated.length > 0)
      run.report(step, "expect", [{ pointer, expected: "each value once", actual: repeated.join(", ") }]);
    return;
  }
  const context = {
    lookup: (key: string) => run.evaluator.lookup(key, scope),
    decimal: (key: string) => run.evaluator.decimal(key, scope),
    record: () => undefined,
  };
  const is = run.evaluator.expectation(check["is"] ?? null, scope);
  run.report(
    step,
    "expect",
    match({ $unordered: Array.isArray(is) ? is : [is] }, values, context, { pointer: name }),
  );
}

/** `assert`: a value of the case against a matcher, or another look at what an earlier step got. */
export function runAssert(step: Step, run: CaseRun, scope: Scope): Exchange | true {
  const { left, is, of } = asMap(step.argument);
  if (of !== undefined) return exchangeOf(run.evaluator.text(of, scope), scope);
  const context = {
    lookup: (key: string) => run.evaluator.lookup(key, scope),
    decimal: (key: string) => run.evaluator.decimal(key, scope),
    record: () => undefined,
  };
  const actual = toJson(explained(step, () => run.evaluator.value(left ?? null, scope)));
  run.report(step, "expect", match(run.evaluator.expectation(is ?? null, scope), actual, context));
  return true;
}

/** A value that nobody delivered has no reason of its own; the note of the step says what that means. */
function explained<T>({ note }: Step, value: () => T): T {
  try {
    return value();
  } catch (error) {
    if (error instanceof Blocked && note !== undefined) error.message = `${note}: ${error.message}`;
    throw error;
  }
}

function exchangeOf(step: string, scope: Scope): Exchange {
  const record = scope.record(step);
  if (record === undefined) throw new Blocked(`the step ${step} received nothing to look at`);
  return record.exchange;
}

/** What was collected under a name, or what a step of that name got; a list of names is one history. */
function historyOf(names: readonly string[], scope: Scope): readonly Exchange[] {
  return names.flatMap((name) => scope.collected(name) ?? [exchangeOf(name, scope)]);
}

/** Whether clients share a name space is open, so each client's placements are a history of their own. */
function toPlacement(exchange: Exchange, run: CaseRun): Placement {
  const body = readJson(exchange.request.body);
  const key = body.ok ? resolvePointer(body.json, "/client_order_id") : undefined;
  const { startedAt } = exchange;
  // Without an answer nobody knows when, or whether, the placement took effect: it may be later than anything else.
  const endedAt = exchange.reply === undefined ? Number.POSITIVE_INFINITY : exchange.endedAt;
  const { role } = exchange.request;
  const client = run.session.profile.credentials[role]?.client ?? role;
  const name = typeof key === "string" ? key : "(none)";
  return { key: `${name} of ${client}`, startedAt, endedAt, outcome: outcomeOf(exchange) };
}

function outcomeOf(exchange: Exchange): PlacementOutcome {
  const status = exchange.reply?.status;
  if (status === undefined || status >= 500) return { kind: "unknown" };
  const [type, id] = [
    resolvePointer(exchange.json, "#/data/type"),
    resolvePointer(exchange.json, "#/data/order/id"),
  ];
  if (type === "NEW_ORDER" && typeof id === "string") return { kind: "new", orderId: id };
  if (type === "DUPLICATE_REPLAY" && typeof id === "string") return { kind: "duplicate", orderId: id };
  return status === 200 ? { kind: "unknown" } : { kind: "refused" };
}
