import type { Exchange, SentRequest } from "../../model/exchange.ts";
import type { Frames } from "../../model/language.ts";
import { Blocked } from "../../model/outcome.ts";
import { isOurs } from "../../model/profile.ts";
import { asMap, toJsonText, type Value } from "../../model/value.ts";
import type { Session } from "../session.ts";
import type { StreamAt } from "./stream-step.ts";

/** `send`: one message as JSON, text or bytes, or a ping. */
export async function sendMessage(filled: Value, at: StreamAt): Promise<true> {
  const { base64, ping } = asMap(filled);
  const bytes = bytesOfMessage(filled);
  const { socket } = at.stream;
  await pass(at, bytes, () => {
    if (ping !== undefined) socket.ping(String(ping));
    else socket.send(typeof base64 === "string" ? bytes : bytes.toString("utf8"));
  });
  return true;
}

export function bytesOfMessage(filled: Value): Buffer {
  const { json, text, base64, ping } = asMap(filled);
  if (ping !== undefined) return Buffer.from(String(ping));
  if (typeof base64 === "string") return Buffer.from(base64, "base64");
  return Buffer.from(json === undefined ? String(text ?? "") : toJsonText(json), "utf8");
}

export async function sendText(text: string, at: StreamAt): Promise<void> {
  await pass(at, Buffer.from(text, "utf8"), () => at.stream.socket.send(text));
}

/** Bytes in place of a frame are sent on this machine only, whatever their content. */
export function assertOurs({ profile }: Session): void {
  if (!isOurs(profile)) throw new Blocked("hand-made frames are sent on this machine only");
}

export async function sendFrames({ hex }: Frames, at: StreamAt): Promise<true> {
  assertOurs(at.run.session);
  const bytes = Buffer.from(at.run.evaluator.text(hex, at.scope).replace(/\s+/g, ""), "hex");
  await pass(at, bytes, () => at.stream.socket.sendBytes(bytes));
  return true;
}

async function pass({ stream, step, run }: StreamAt, body: Uint8Array, send: () => void): Promise<void> {
  stream.assertOpen();
  const request: SentRequest = { ...stream.request, body };
  run.spend(1, 0);
  const startedAt = performance.now();
  await run.session.parts.target.sendOnStream(request, send);
  const sent: Exchange = { request, transport: "message", startedAt, endedAt: performance.now() };
  run.trace.add(step.id ?? "send", sent);
}
