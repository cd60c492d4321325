import { matcherText } from "../../check/describe.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Difference } from "../../model/finding.ts";
import type { Expectation } from "../../model/language.ts";
import { asJson, type NeverStep, type PollStep, type Step } from "../../model/step.ts";
import type { CaseRun } from "../case-run.ts";
import type { Scope } from "../prepare/scope.ts";
import { sendCall } from "../send/send-call.ts";

/** Sends until the condition holds. The condition is the poll's own; `expect` is judged once, on the last reply. */
export async function runPoll(step: PollStep, run: CaseRun, scope: Scope): Promise<Exchange> {
  const { call, until, everyMs, withinMs, stable, backoff } = step;
  const deadline = Math.min(run.session.elapsed() + withinMs, run.deadline);
  let held = 0;
  for (let pause = everyMs; ; pause *= backoff) {
    const exchange = await sendCall(call, step, run, scope);
    const found = conditionOf(until, exchange, step, run, scope);
    held = found.length === 0 ? held + 1 : 0;
    if (held >= stable) return exchange;
    if (run.session.elapsed() + pause > deadline) {
      if (deadline === run.deadline) throw run.tooLong();
      const late =
        found.length > 0
          ? found
          : [{ pointer: "", expected: `${stable} replies in a row`, actual: String(held) }];
      run.report(
        step,
        "expect",
        late.map((item) => ({ ...item, expected: `within ${withinMs} ms: ${item.expected}` })),
        exchange,
      );
      return exchange;
    }
    await run.pause(pause);
  }
}

/**
 * The condition must not become true during the time. This is real time: waits for permission to send count, too. One
 * reply that matches ends the step.
 */
export async function runNever(step: NeverStep, run: CaseRun, scope: Scope): Promise<Exchange> {
  const { call, match, everyMs, forMs } = step;
  const deadline = performance.now() + forMs;
  for (;;) {
    const exchange = await sendCall(call, step, run, scope);
    if (conditionOf(match, exchange, step, run, scope).length === 0) {
      run.report(
        step,
        "expect",
        [{ pointer: "", expected: `never: ${matcherText(asJson(match))}`, actual: "it happened" }],
        exchange,
      );
      return exchange;
    }
    if (performance.now() + everyMs > deadline) return exchange;
    await run.pause(everyMs);
  }
}

function conditionOf(
  template: Expectation,
  exchange: Exchange,
  step: Step,
  run: CaseRun,
  scope: Scope,
): Difference[] {
  return run.differences(run.evaluator.expectation(template, scope), scope, exchange, step);
}
