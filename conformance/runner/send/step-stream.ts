import { turnOf } from "../../check/stream-event.ts";
import { durationMs } from "../../model/duration.ts";
import type { Exchange, SentRequest } from "../../model/exchange.ts";
import type { JsonObject } from "../../model/json.ts";
import type { Connect } from "../../model/language.ts";
import { Blocked } from "../../model/outcome.ts";
import type { Step, StreamStep } from "../../model/step.ts";
import type { Value, ValueMap } from "../../model/value.ts";
import { asMap } from "../../model/value.ts";
import { readCall } from "../../plan/call.ts";
import type { SignChoice } from "../../plan/sign.ts";
import type { CaseRun } from "../case-run.ts";
import { planRequest } from "../prepare/plan-request.ts";
import type { Scope } from "../prepare/scope.ts";
import { runCollect, runExpect, runNone, runUntil } from "../wait/stream-waits.ts";
import { expectedOf } from "./send-call.ts";
import type { Sender } from "./sender.ts";
import { Stream } from "./stream.ts";
import { sendFrames, sendMessage } from "./stream-send.ts";
import type { StreamAt } from "./stream-step.ts";
import { runSubscribe, runUnsubscribe } from "./stream-subscribe.ts";

/** Runs one `ws` action. Returns an exchange if there is one to judge; false if an expected message did not come. */
export async function runStream(step: StreamStep, run: CaseRun, scope: Scope): Promise<Exchange | boolean> {
  const { on, does } = step;
  const filled = (template: Value): Value => run.evaluator.value(template, scope);
  if (does.kind === "connect") return connect(does.connect, step, run, scope);
  const stream = run.streams.get(on);
  if (stream === undefined)
    throw new Blocked(`the connection ${on} was never opened: an earlier handshake did not succeed`);
  const at = { stream, step, run, scope };
  switch (does.kind) {
    case "subscribe":
      return runSubscribe(filled(does.subscribe), at);
    case "unsubscribe":
      return runUnsubscribe(filled(does.unsubscribe), at);
    case "send":
      return sendMessage(filled(does.send), at);
    case "frames":
      return sendFrames(does.frames, at);
    // The expectation of a wait keeps its matchers; the wait fills it itself.
    case "expect":
      return runExpect(does, at);
    case "until":
      return runUntil(does, at);
    case "collect":
      return runCollect(does, at);
    case "none":
      return runNone(does, at);
    case "close":
      return close(asMap(filled(does.close)), at);
    case "closed":
      return closed(asMap(filled(does.closed)), at);
    default:
      return does satisfies never;
  }
}

const mostConnections = 8;

async function connect(options: Connect, step: StreamStep, run: CaseRun, scope: Scope): Promise<Exchange> {
  const { session } = run;
  const name = step.on;
  const plan = session.profile.stream;
  if (plan?.url === undefined) throw new Blocked("the profile names no address of the stream: add ws.url");
  await run.beginStreams();
  run.streams.get(name)?.release();
  run.streams.delete(name);
  if (run.streams.size >= mostConnections)
    throw new Blocked(`a case has at most ${mostConnections} connections at a time`);
  const settleMs = durationMs(run.evaluator.text(options.settle ?? "0ms", scope)) ?? 0;
  const expected = expectedOf(step, run, scope);
  const deadlineMs = step.timeoutMs ?? session.profile.timeouts.requestMs;
  let stream: Stream | undefined;
  const exchange = await session.untilAnswered(async () => {
    run.spend(1, 0);
    const request = handshake(options, run.at(step), scope);
    const opened = await session.parts.target.openStream(request, deadlineMs);
    if (opened.socket !== undefined)
      stream = new Stream(name, opened.socket, messageOf(request), plan, (message, numbers) =>
        session.hear(message, numbers),
      );
    session.observe(opened.exchange, false);
    return opened.exchange;
  }, expected.names);
  if (exchange.transport === "refused")
    throw new Blocked(`the target does not accept connections: ${exchange.problem ?? ""}`);
  if (stream !== undefined) run.streams.set(name, stream);
  const settled = {
    ...exchange,
    stream: { connection: name, event: await outcome(stream, settleMs, run), body: new Uint8Array() },
  };
  run.trace.add(step.id ?? "connect", settled);
  return settled;
}

/** A target may open the connection and close it at once if it refuses the credentials; `settle` waits for that. */
async function outcome(stream: Stream | undefined, settleMs: number, run: CaseRun): Promise<JsonObject> {
  if (stream === undefined) return turnOf("refused");
  if (settleMs > 0) await stream.next(() => true, 0, settleMs, run.signal);
  const { ended, messages } = stream;
  if (ended === undefined) return turnOf("opened", { messages: messages.length });
  return turnOf("closed", { code: ended.code, reason: ended.reason, messages: messages.length });
}

export function handshake(template: Connect, sender: Sender, scope: Scope): SentRequest {
  const { session } = sender;
  const { reuse } = template;
  if (reuse !== undefined) {
    const record = scope.record(reuse);
    if (record === undefined)
      throw new Blocked(`the step ${reuse} has sent nothing that could be sent again`);
    return record.exchange.request;
  }
  const { url, signedPath } = session.profile.stream ?? {};
  const call = readCall(sender.evaluator.value(template, scope));
  const path = call.path ?? `${url?.pathname ?? "/"}${url?.search ?? ""}`;
  const sign = call.path === undefined ? signedAs(signedPath, call.sign) : call.sign;
  // Two slashes begin a path from the root, as in a call.
  return session.prepare(planRequest({ ...call, method: "GET", path: `/${path}`, sign }, sender));
}

/** The owner may state another signed path than that of the address; a case that signs a wrong path has priority. */
function signedAs(path: string | undefined, sign: SignChoice): SignChoice {
  if (path === undefined) return sign;
  return { ...sign, plan: { ...sign.plan, override: { path, ...sign.plan.override } } };
}

/** Messages belong to the connection, not to the signed request that opened it. */
function messageOf({ path, role, permit }: SentRequest): SentRequest {
  return {
    method: "WS",
    path,
    headers: [],
    body: new Uint8Array(),
    role,
    ...(permit === undefined ? {} : { permit }),
  };
}

async function close(
  { code, reason }: ValueMap,
  { stream, step, run }: StreamAt,
): Promise<Exchange | boolean> {
  stream.socket.close(typeof code === "number" ? code : 1000, String(reason ?? ""));
  return ending(stream, step, run, 2000);
}

async function closed({ within }: ValueMap, { stream, step, run }: StreamAt): Promise<Exchange | boolean> {
  const withinMs = durationMs(String(within ?? "5s")) ?? 5000;
  const found = await ending(stream, step, run, withinMs);
  if (found !== false) return found;
  run.report(step, "expect", [
    {
      pointer: "event",
      expected: `within ${withinMs} ms: the target closes the connection`,
      actual: "it is open",
    },
  ]);
  return false;
}

async function ending(stream: Stream, step: Step, run: CaseRun, withinMs: number): Promise<Exchange | false> {
  const ended = await stream.end(withinMs, run.signal);
  if (ended === undefined) return false;
  const { code, reason, problem, at } = ended;
  const event = turnOf("closed", { code, reason, messages: stream.messages.length, problem });
  const exchange: Exchange = {
    request: stream.request,
    transport: "message",
    stream: { connection: stream.name, event, body: new Uint8Array() },
    ...(problem === undefined ? {} : { problem }),
    startedAt: at,
    endedAt: at,
  };
  run.trace.add(step.id ?? "close", exchange);
  return exchange;
}
