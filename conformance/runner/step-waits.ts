import { matcherText } from "../check/describe.ts";
import type { Exchange } from "../model/exchange.ts";
import type { Difference } from "../model/finding.ts";
import type { Step } from "../model/scenario.ts";
import { isMap, type Value } from "../model/value.ts";
import { durationMs } from "../parse/duration.ts";
import { asMap } from "../parse/scenario.ts";
import type { CaseRun } from "./case-run.ts";
import type { Scope } from "./scope.ts";
import { sendCall } from "./send-call.ts";

/** Asks until the condition holds. The condition is the poll's own: `expect` is judged once, on the last reply. */
export async function runPoll(step: Step, run: CaseRun, scope: Scope): Promise<Exchange> {
  const poll = asMap(step.argument);
  const [every, within] = [millis(poll["every"], 300), millis(poll["within"], 5_000)];
  const stable = Number(poll["stable"] ?? 1);
  const backoff = Number(poll["backoff"] ?? 1);
  const deadline = Math.min(run.session.elapsed() + within, run.deadline);
  let held = 0;
  for (let pause = every; ; pause *= backoff) {
    const exchange = await sendCall(poll["call"] ?? null, step, run, scope);
    const found = conditionOf(poll["until"], exchange, step, run, scope);
    held = found.length === 0 ? held + 1 : 0;
    if (held >= stable) return exchange;
    if (run.session.elapsed() + pause > deadline) {
      const late =
        found.length > 0
          ? found
          : [{ pointer: "", expected: `${stable} replies in a row`, actual: String(held) }];
      run.report(
        step,
        "expect",
        late.map((item) => ({ ...item, expected: `within ${within} ms: ${item.expected}` })),
        exchange,
      );
      return exchange;
    }
    await run.pause(pause);
  }
}

/** The condition must not come true during the time, which is that of the target. One reply that matches ends it. */
export async function runNever(step: Step, run: CaseRun, scope: Scope): Promise<Exchange> {
  const never = asMap(step.argument);
  const [every, duration] = [millis(never["every"], 250), millis(never["for"], 1_000)];
  const deadline = performance.now() + duration;
  for (;;) {
    const exchange = await sendCall(never["call"] ?? null, step, run, scope);
    if (conditionOf(never["match"], exchange, step, run, scope).length === 0) {
      run.report(
        step,
        "expect",
        [{ pointer: "", expected: `never: ${matcherText(never["match"] ?? null)}`, actual: "it happened" }],
        exchange,
      );
      return exchange;
    }
    if (performance.now() + every > deadline) return exchange;
    await run.pause(every);
  }
}

function conditionOf(
  template: Value | undefined,
  exchange: Exchange,
  step: Step,
  run: CaseRun,
  scope: Scope,
): Difference[] {
  const block = run.evaluator.expectation(template ?? {}, scope);
  return isMap(block) ? run.differences(block, scope, exchange, step) : [];
}

function millis(value: Value | undefined, otherwise: number): number {
  return value === undefined ? otherwise : (durationMs(String(value)) ?? otherwise);
}
