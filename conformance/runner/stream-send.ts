import type { Exchange, SentRequest } from "../model/exchange.ts";
import { Blocked } from "../model/outcome.ts";
import { isOurs } from "../model/profile.ts";
import { toJsonText, type ValueMap } from "../model/value.ts";
import type { StreamStep } from "./stream-step.ts";

/** `send`: one message as JSON, text or bytes, or a ping. */
export async function sendMessage(options: ValueMap, at: StreamStep): Promise<true> {
  const { json, text, base64, ping } = options;
  if (ping !== undefined) {
    const data = String(ping);
    await pass(at, Buffer.from(data), () => at.stream.socket.ping(data));
    return true;
  }
  if (typeof base64 === "string") {
    const bytes = Buffer.from(base64, "base64");
    await pass(at, bytes, () => at.stream.socket.send(bytes));
    return true;
  }
  await sendText(json === undefined ? String(text ?? "") : toJsonText(json), at);
  return true;
}

export async function sendText(text: string, at: StreamStep): Promise<void> {
  await pass(at, Buffer.from(text, "utf8"), () => at.stream.socket.send(text));
}

/** Bytes in place of a frame: for this machine only, whatever they are. */
export async function sendFrames({ hex }: ValueMap, at: StreamStep): Promise<true> {
  if (!isOurs(at.run.session.profile))
    throw new Blocked("frames of one's own making are sent on this machine only");
  const bytes = Buffer.from(String(hex).replace(/\s+/g, ""), "hex");
  await pass(at, bytes, () => at.stream.socket.sendBytes(bytes));
  return true;
}

async function pass({ stream, step, run }: StreamStep, body: Uint8Array, send: () => void): Promise<void> {
  stream.assertOpen();
  const request: SentRequest = { ...stream.request, body };
  run.spend(1, 0);
  const startedAt = performance.now();
  await run.session.parts.target.sendOnStream(request, send);
  const sent: Exchange = { request, transport: "message", startedAt, endedAt: performance.now() };
  run.trace.add(step.id ?? "send", sent);
}
