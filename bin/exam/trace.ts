/** The traffic of a situation, for the report: requests with their answers, and the messages of its streams. */

import type * as kit from "../../conformance/commands.ts";
import type { Evidence, Sent } from "./evidence.ts";
import type { TappedStream } from "./stream-tap.ts";

type Trace = NonNullable<Parameters<(typeof kit)["reportExam"]>[0]["rows"][number]["trace"]>;
type Exchange = Trace["exchanges"][number];

const mostShown = 100;

/** A finding names the request that shows it by this, too. */
export const stepOf = (index: number): string => `request ${index + 1}`;

/** Without secrets. A handshake has the messages of its stream as the body of its answer, one in a line. */
export function traceOf({ sent, streams, startedAt, secrets }: Evidence): Trace {
  const opened = [...streams];
  const redact = (text: string): string => secrets.redact(text);
  const exchanges = sent.slice(0, mostShown).map((request, index): Exchange => {
    const { method, target, status, headers, text, answer } = request;
    const stream = status === 101 ? opened.shift() : undefined;
    const pairs = (list: Sent["headers"]) =>
      list.map(([name, value]) => [redact(name), redact(value)] as const);
    return {
      step: stepOf(index),
      role: "client",
      method,
      path: redact(target),
      attempt: 1,
      startedMs: Math.max(0, request.cameAt - startedAt),
      durationMs: Math.round(request.answeredAt - request.cameAt),
      transport: status === 0 ? "closed" : "answered",
      ...(status === 0 ? { problem: "the connection was closed without an answer" } : { status }),
      detail: {
        requestHeaders: pairs(headers),
        ...bodyOf("requestBody", redact(text), Buffer.byteLength(text)),
        replyHeaders: pairs(answer.headers),
        ...(stream === undefined
          ? bodyOf("replyBody", redact(answer.text), answer.bytes)
          : messagesOf(stream, redact)),
      },
    };
  });
  return { exchanges, omitted: sent.length - exchanges.length };
}

function bodyOf(name: "requestBody" | "replyBody", text: string, bytes: number) {
  return bytes === 0 ? {} : { [name]: { text, bytes, cut: Buffer.byteLength(text) < bytes, base64: false } };
}

function messagesOf({ messages, omitted }: TappedStream, redact: (text: string) => string) {
  const text = messages.join("\n");
  return bodyOf("replyBody", redact(text), Buffer.byteLength(text) + omitted);
}
