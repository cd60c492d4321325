import { isOrder } from "../../client/order-scan.ts";
import type { Exchange, SentRequest } from "../../model/exchange.ts";
import type { Call } from "../../model/language.ts";
import { Blocked } from "../../model/outcome.ts";
import type { Step } from "../../model/step.ts";
import { readCall } from "../../plan/call.ts";
import type { CaseRun } from "../case-run.ts";
import { planRequest } from "../prepare/plan-request.ts";
import type { Scope } from "../prepare/scope.ts";
import { type StatusesExpected, statusesExpected } from "./statuses-expected.ts";

/** Fills, signs and sends a `call`; a busy target is asked again. */
export async function sendCall(template: Call, step: Step, run: CaseRun, scope: Scope): Promise<Exchange> {
  const { reuse } = template;
  // A repeated request fills no other member.
  const asked = readCall(reuse === undefined ? run.evaluator.value(template, scope) : { reuse });
  const { reading } = run.session;
  const call = reading.translated(asked);
  const expected = expectedOf(step, run, scope);
  const sender = run.at(step);
  let paid = false;
  const sign = (): SentRequest => {
    const request =
      reuse === undefined ? run.session.prepare(planRequest(call, sender)) : sentBy(reuse, scope, step);
    if (!paid) run.spend(1, call === asked && isOrder(request) ? 1 : 0);
    paid = true;
    return request;
  };
  const options = { failureExpected: expected.serverErrors, fresh: call.fresh, abandon: call.abandon };
  const send = async (): Promise<Exchange> => {
    const answered = await run.session.ask(sign, options, expected.names);
    run.trace.add(step.id ?? step.action, answered);
    return answered;
  };
  const isEarly = ({ request: { operation }, reply }: Exchange): boolean =>
    operation === "cancelOrder" &&
    early.includes(reply?.status ?? 0) &&
    expected.excludes(reply?.status ?? 0);
  let exchange = await send();
  for (let again = 0; again < mostCancelsAgain && reuse === undefined && isEarly(exchange); again += 1) {
    run.session.retries.push({
      request: `${exchange.request.method} ${exchange.request.path}`,
      status: exchange.reply?.status ?? 0,
      pauseMs: betweenCancelsMs,
    });
    await run.pause(betweenCancelsMs);
    exchange = await send();
  }
  if (exchange.transport === "refused")
    throw new Blocked(`the target does not accept connections: ${exchange.problem ?? ""}`);
  reading.answered(asked, exchange);
  return (await reading.foundElsewhere(asked, exchange, run)) ?? exchange;
}

/** A target may refuse to cancel an order that it has not acknowledged yet. */
const early = [409, 425];
const mostCancelsAgain = 2;
const betweenCancelsMs = 150;

export const expectedOf = (step: Step, run: CaseRun, scope: Scope): StatusesExpected =>
  statusesExpected(step, (text) => run.evaluator.text(text, scope));

/** The request of an earlier step, for this one. */
function sentBy(earlier: string, scope: Scope, { id, action }: Step): SentRequest {
  const record = scope.record(earlier);
  if (record === undefined)
    throw new Blocked(`the step ${earlier} has sent nothing that could be sent again`);
  const { permit, ...request } = record.exchange.request;
  return { ...request, ...(permit === undefined ? {} : { permit: { ...permit, step: id ?? action } }) };
}
