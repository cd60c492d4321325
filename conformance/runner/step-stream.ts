import { turnOf } from "../check/stream-event.ts";
import type { Exchange, SentRequest } from "../model/exchange.ts";
import type { JsonObject } from "../model/json.ts";
import { Blocked } from "../model/outcome.ts";
import type { Step } from "../model/scenario.ts";
import type { Value, ValueMap } from "../model/value.ts";
import { durationMs } from "../parse/duration.ts";
import { asMap } from "../parse/scenario.ts";
import type { CaseRun } from "./case-run.ts";
import { planRequest } from "./plan-request.ts";
import type { Scope } from "./scope.ts";
import { expectedOf } from "./send-call.ts";
import type { Sender } from "./sender.ts";
import { Stream } from "./stream.ts";
import { sendFrames, sendMessage } from "./stream-send.ts";
import type { StreamStep } from "./stream-step.ts";
import { runSubscribe, runUnsubscribe } from "./stream-subscribe.ts";
import { runCollect, runExpect, runNone, runUntil } from "./stream-waits.ts";

/** One `ws` action. An exchange when it has something to judge; false when what had to come did not. */
export async function runStream(step: Step, run: CaseRun, scope: Scope): Promise<Exchange | boolean> {
  const block = asMap(step.argument);
  const name = String(block["on"] ?? "main");
  const filled = (key: string): ValueMap => asMap(run.evaluator.value(block[key] ?? null, scope));
  if (block["connect"] !== undefined) return connect(name, filled("connect"), step, run, scope);
  const stream = run.streams.get(name);
  if (stream === undefined)
    throw new Blocked(`the connection ${name} was never opened: an earlier handshake did not succeed`);
  const at = { stream, step, run, scope };
  if (block["subscribe"] !== undefined) return runSubscribe(filled("subscribe"), at);
  if (block["unsubscribe"] !== undefined) return runUnsubscribe(filled("unsubscribe"), at);
  if (block["send"] !== undefined) return sendMessage(filled("send"), at);
  if (block["frames"] !== undefined) return sendFrames(filled("frames"), at);
  // What a wait looks for keeps its matchers; the wait fills it itself.
  if (block["expect"] !== undefined) return runExpect(asMap(block["expect"]), at);
  if (block["until"] !== undefined) return runUntil(asMap(block["until"]), at);
  if (block["collect"] !== undefined) return runCollect(asMap(block["collect"]), at);
  if (block["none"] !== undefined) return runNone(asMap(block["none"]), at);
  if (block["close"] !== undefined) return close(filled("close"), at);
  return closed(filled("closed"), at);
}

const mostConnections = 8;

async function connect(
  name: string,
  options: ValueMap,
  step: Step,
  run: CaseRun,
  scope: Scope,
): Promise<Exchange> {
  const { session } = run;
  const plan = session.profile.stream;
  if (plan?.url === undefined) throw new Blocked("the profile names no address of the stream: add ws.url");
  await run.beginStreams();
  run.streams.get(name)?.release();
  run.streams.delete(name);
  if (run.streams.size >= mostConnections)
    throw new Blocked(`a case has at most ${mostConnections} connections at a time`);
  const expected = expectedOf(step, run, scope);
  const deadlineMs = step.timeoutMs ?? session.profile.timeouts.requestMs;
  let stream: Stream | undefined;
  const exchange = await session.retryWhileBusy(async () => {
    run.spend(1, 0);
    const request = handshake(options, run, scope);
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
    stream: { connection: name, event: await outcome(stream, options, run), body: new Uint8Array() },
  };
  run.trace.add(step.id ?? "connect", settled);
  return settled;
}

/** A target may open first and close at once when it does not like the credentials; `settle` waits for that. */
async function outcome(stream: Stream | undefined, options: ValueMap, run: CaseRun): Promise<JsonObject> {
  if (stream === undefined) return turnOf("refused");
  const settleMs = durationMs(String(options["settle"] ?? "0ms")) ?? 0;
  if (settleMs > 0) await stream.next(() => true, 0, settleMs, run.signal);
  const { ended, messages } = stream;
  if (ended === undefined) return turnOf("opened", { messages: messages.length });
  return turnOf("closed", { code: ended.code, reason: ended.reason, messages: messages.length });
}

export function handshake(options: ValueMap, sender: Sender, scope: Scope): SentRequest {
  const { session } = sender;
  const reused = options["reuse"];
  if (typeof reused === "string") {
    const record = scope.record(reused);
    if (record === undefined)
      throw new Blocked(`the step ${reused} has sent nothing that could be sent again`);
    return record.exchange.request;
  }
  const { url, signedPath } = session.profile.stream ?? {};
  const path = String(options["path"] ?? `${url?.pathname ?? "/"}${url?.search ?? ""}`);
  const sign = withPath(options["sign"], options["path"] === undefined ? signedPath : undefined);
  const { path: _, ...call } = options;
  // Two slashes name a path from the root, as in a call.
  const filled = { ...call, method: "GET", path: `/${path}`, ...(sign === undefined ? {} : { sign }) };
  return session.prepare(planRequest(filled, sender));
}

/** The owner may say that another path is signed than the one of the address; a case that signs a wrong one goes before. */
function withPath(sign: Value | undefined, path: string | undefined): Value | undefined {
  if (path === undefined || sign === "none") return sign;
  const block = asMap(sign);
  return { ...block, override: { path, ...asMap(block["override"]) } };
}

/** Messages belong to the connection, not to the signed bytes that opened it. */
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
  { stream, step, run }: StreamStep,
): Promise<Exchange | boolean> {
  stream.socket.close(typeof code === "number" ? code : 1000, String(reason ?? ""));
  return ending(stream, step, run, 2000);
}

async function closed({ within }: ValueMap, { stream, step, run }: StreamStep): Promise<Exchange | boolean> {
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
