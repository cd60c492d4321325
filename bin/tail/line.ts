/** An exchange of the exchange log as one line for a person. */
import { count, flag, listOf, oneOf, orNull, record, type Shaped, text } from "../answer-shape.ts";

/** As `GET /exchanges` lists it. */
export const listedExchange = record({
  number: count,
  requestId: text,
  kind: oneOf("request", "stream"),
  receivedAt: text,
  durationMs: count,
  key: orNull(text),
  method: text,
  target: text,
  /** 0: the connection was closed in place of an answer. */
  status: count,
  code: orNull(text),
  sent: flag,
  refusedBy: orNull(text),
  entries: orNull(record({ first: count, last: count })),
  faults: listOf(record({ rule: text, kind: text })),
  stream: orNull(record({ code: count, received: count, sent: count, subscriptions: listOf(text) })),
});

export type ListedExchange = Shaped<typeof listedExchange>;

export type Paint = (style: "green" | "yellow" | "red" | "dim", shown: string) => string;

/** `12:00:01.204  200  trader      POST /order  3.1 ms  entry 7  req-00000012`, without the prefix of the paths. */
export function lineOf(exchange: ListedExchange, prefix: string, paint: Paint): string {
  const { receivedAt, status, key, method, target, durationMs, requestId } = exchange;
  const path = target.startsWith(prefix) ? target.slice(prefix.length) : target;
  return [
    paint("dim", receivedAt.slice(11, 23)),
    paint(styleOf(status), status === 0 ? "---" : String(status)),
    (key ?? "?").padEnd(12),
    `${method} ${path}`,
    paint("dim", `${durationMs.toFixed(1)} ms`),
    ...notesOn(exchange),
    paint("dim", requestId),
  ].join("  ");
}

const styleOf = (status: number): "green" | "yellow" | "red" =>
  status === 0 || status >= 500 ? "red" : status >= 400 ? "yellow" : "green";

function notesOn({ code, sent, entries, faults, kind, stream, status }: ListedExchange): string[] {
  const lost = status === 0 ? "no answer was sent" : "the answer was not taken";
  return [
    ...(code === null ? [] : [code]),
    ...(sent ? [] : [lost]),
    ...faults.map((fault) => `fault ${fault.rule} (${fault.kind})`),
    ...(entries === null ? [] : [entriesText(entries)]),
    ...(kind === "stream" ? [streamText(stream)] : []),
  ];
}

const entriesText = ({ first, last }: NonNullable<ListedExchange["entries"]>): string =>
  first === last ? `entry ${first}` : `entries ${first} to ${last}`;

function streamText(stream: ListedExchange["stream"]): string {
  if (stream === null) return "WebSocket opened";
  const { code, received, sent, subscriptions } = stream;
  const channels = subscriptions.length === 0 ? "no subscription" : subscriptions.join(", ");
  return `WebSocket closed with ${code} (${channels}; ${received} messages in, ${sent} out)`;
}
