import { isOrder } from "../../client/order-scan.ts";
import { durationMs } from "../../model/duration.ts";
import type { Exchange, SentRequest } from "../../model/exchange.ts";
import type { Raw } from "../../model/language.ts";
import { Blocked } from "../../model/outcome.ts";
import type { RawStep } from "../../model/step.ts";
import { signOf } from "../../plan/sign.ts";
import type { CaseRun } from "../case-run.ts";
import type { Scope } from "../prepare/scope.ts";
import { expectedOf } from "./send-call.ts";
import type { Sender } from "./sender.ts";

/**
 * Sends exact bytes over TCP. The head is text, one line each, CRLF is added. `${sig.timestamp}`, `${sig.nonce}`,
 * `${sig.keyId}`, `${sig.signature}`, `${sig.host}`, `${sig.base}` and `${sig.length}` are the values of a correct
 * signature for the request in the first line with this body. With `chunked` the body is sent as one chunk, without a
 * length.
 */
export async function runRaw(step: RawStep, run: CaseRun, scope: Scope): Promise<Exchange> {
  const { raw } = step;
  const { session } = run;
  if (session.presence("raw.socket") !== "present")
    throw new Blocked("raw bytes need the capability raw.socket");
  const chunks = (raw.chunks ?? []).map(({ bytes, pause = "0ms" }) => ({
    bytes,
    pauseMs: durationMs(pause) ?? 0,
  }));
  const deadlineMs = step.timeoutMs ?? session.profile.timeouts.requestMs;
  const expected = expectedOf(step, run, scope);
  let paid = false;
  const exchange = await session.retryWhileBusy(async () => {
    const { bytes, described } = rawBytes(raw, run.at(step), scope);
    if (!paid) run.spend(1, isOrder(described) ? 1 : 0);
    paid = true;
    const found = await session.parts.target.sendRaw(described, bytes, {
      deadlineMs,
      chunks,
      halfClose: raw.halfClose === true,
    });
    session.observe(found, expected.serverErrors);
    return found;
  }, expected.names);
  run.trace.add(step.id ?? step.action, exchange);
  return exchange;
}

/** The bytes, and the request that they are according to the step. */
export function rawBytes(
  raw: Raw,
  run: Sender,
  scope: Scope,
): { readonly bytes: Buffer; readonly described: SentRequest } {
  const { session } = run;
  const template = raw.request ?? "";
  const role = raw.as ?? "trader";
  if (raw.base64 !== undefined) {
    const bytes = Buffer.from(run.evaluator.text(raw.base64, scope), "base64");
    return { bytes, described: readRaw(bytes, role, run) };
  }
  const body = Buffer.from(run.evaluator.text(raw.body ?? "", scope), "utf8");
  const place = {
    host: session.parts.target.host,
    base: session.parts.target.basePath,
    length: String(body.length),
  };
  const sent = raw.chunked === true ? inOneChunk(body) : body;
  const blank = { timestamp: "0", nonce: "0", keyId: "0", signature: "0", ...place };
  const draft = run.evaluator.text(template, scope.child({ sig: blank }));
  const [, method = "GET", target = "/"] = /^(\S+) +(\S+)/.exec(draft) ?? [];
  const choice = signOf(run.evaluator.value(raw.sign ?? null, scope));
  const request = session.prepare({
    method,
    target,
    body,
    role,
    headers: [],
    credential: session.credential(role === "anonymous" ? "trader" : role),
    sign: choice.plan,
    mutation: choice.mutation,
    clockOffsetMs: choice.clockOffsetMs,
    permit: run.permit,
  });
  const { timestamp = "", nonce = "", keyId = "", signature = "" } = request.signed ?? {};
  const head = run.evaluator.text(
    template,
    scope.child({ sig: { timestamp, nonce, keyId, signature, ...place } }),
  );
  const lines = head
    .replace(/\n+$/, "")
    .split("\n")
    .map((line) => line.replace(/\r$/, ""));
  const bytes = Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "utf8"), sent]);
  return { bytes, described: { ...request, path: target } };
}

const inOneChunk = (body: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), body, Buffer.from("\r\n0\r\n\r\n")]);

/** The request that a proxy would read in bytes without a description, so that the order guard can check them. */
function readRaw(bytes: Buffer, role: string, { permit }: Sender): SentRequest {
  const [, method = "RAW", path = "(raw bytes)"] = /^([A-Za-z]+) +(\S+)/.exec(bytes.toString("latin1")) ?? [];
  const headEnd = bytes.indexOf("\r\n\r\n");
  const body = headEnd === -1 ? new Uint8Array() : bytes.subarray(headEnd + 4);
  return { method, path, headers: [], body, role, permit };
}
