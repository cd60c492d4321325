import { setTimeout as wait } from "node:timers/promises";
import { type Abandon, abandonments } from "../client/raw-client.ts";
import { type Exchange, headerOf, type SentRequest } from "../model/exchange.ts";
import { Blocked } from "../model/outcome.ts";
import type { Step } from "../model/scenario.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { asMap } from "../parse/scenario.ts";
import type { CaseRun } from "./case-run.ts";
import { planRequest } from "./plan-request.ts";
import type { Scope } from "./scope.ts";

const retries = 3;

/** Fills, signs and sends a `call`. 429 is the target being busy, never a verdict (AS-30): it is asked again. */
export async function sendCall(argument: Value, step: Step, run: CaseRun, scope: Scope): Promise<Exchange> {
  const reused = asMap(argument)["reuse"];
  const call = typeof reused === "string" ? {} : asMap(run.evaluator.value(argument, scope));
  const expected = statusesExpected(step);
  for (let attempt = 1; ; attempt += 1) {
    const request =
      typeof reused === "string" ? sentBy(reused, scope) : run.session.prepare(planRequest(call, run));
    const fresh = call["pool"] === "fresh";
    const abandon = abandonOf(call);
    const exchange = await run.session.send(request, { ...options(step), fresh, abandon });
    if (exchange.transport === "refused")
      throw new Blocked(`the target does not accept connections: ${exchange.problem ?? ""}`);
    const status = exchange.reply?.status ?? 0;
    const busy = status === 429 || (status === 503 && request.method === "GET");
    if (!busy || expected.includes(String(status))) return exchange;
    if (attempt > retries) throw new Blocked(`the target stays busy: ${status} after ${attempt} attempts`);
    await wait(waitFor(exchange, attempt));
  }
}

/** `abandon: sent` hangs up after the last byte of the request, `unsent` before it. */
export function abandonOf(call: ValueMap): Abandon | undefined {
  return abandonments.find((name) => name === call["abandon"]);
}

/** A step that expects a server error must not be charged with ERR-09 for getting it. */
export function options(step: Step): { readonly failureExpected: boolean } {
  return { failureExpected: /"(?:5\d\d|5xx)"|\b5\d\d\b/.test(statusesExpected(step)) };
}

function statusesExpected(step: Step): string {
  return JSON.stringify([step.assertions.expect ?? null, step.assertions.should ?? null]);
}

function waitFor(exchange: Exchange, attempt: number): number {
  const seconds = Number(headerOf(exchange.reply, "retry-after"));
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, 5_000) : 250 * attempt;
}

function sentBy(step: string, scope: Scope): SentRequest {
  const record = scope.record(step);
  if (record === undefined) throw new Blocked(`the step ${step} has sent nothing that could be sent again`);
  return record.exchange.request;
}
