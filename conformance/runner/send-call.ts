import { isOrder } from "../client/order-scan.ts";
import { type Abandon, abandonments } from "../client/raw-client.ts";
import type { Exchange, SentRequest } from "../model/exchange.ts";
import { Blocked } from "../model/outcome.ts";
import type { Step } from "../model/scenario.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { asMap } from "../parse/scenario.ts";
import type { CaseRun } from "./case-run.ts";
import { planRequest } from "./plan-request.ts";
import type { Scope } from "./scope.ts";
import { type StatusesExpected, statusesExpected } from "./statuses-expected.ts";

/** Fills, signs and sends a `call`; a busy target is asked again. */
export async function sendCall(argument: Value, step: Step, run: CaseRun, scope: Scope): Promise<Exchange> {
  const reused = asMap(argument)["reuse"];
  const asked = typeof reused === "string" ? {} : asMap(run.evaluator.value(argument, scope));
  const { reading } = run.session;
  const call = reading.translated(asked);
  const expected = expectedOf(step, run, scope);
  let paid = false;
  const sign = (): SentRequest => {
    const request =
      typeof reused === "string" ? sentBy(reused, scope) : run.session.prepare(planRequest(call, run));
    if (!paid) run.spend(1, call === asked && isOrder(request) ? 1 : 0);
    paid = true;
    return request;
  };
  const exchange = await run.session.ask(
    sign,
    { failureExpected: expected.serverErrors, fresh: call["pool"] === "fresh", abandon: abandonOf(call) },
    expected.names,
  );
  run.trace.add(step.id ?? step.action, exchange);
  if (exchange.transport === "refused")
    throw new Blocked(`the target does not accept connections: ${exchange.problem ?? ""}`);
  reading.answered(asked, exchange);
  return exchange;
}

/** `abandon: sent` hangs up after the last byte of the request, `unsent` before it. */
export function abandonOf(call: ValueMap): Abandon | undefined {
  return abandonments.find((name) => name === call["abandon"]);
}

export const expectedOf = (step: Step, run: CaseRun, scope: Scope): StatusesExpected =>
  statusesExpected(step, (text) => run.evaluator.text(text, scope));

function sentBy(step: string, scope: Scope): SentRequest {
  const record = scope.record(step);
  if (record === undefined) throw new Blocked(`the step ${step} has sent nothing that could be sent again`);
  return record.exchange.request;
}
