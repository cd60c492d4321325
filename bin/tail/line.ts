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

/** The characters of a target that stay when a line is too long. */
const leastOfTarget = 12;

export type Paint = (style: "green" | "yellow" | "red" | "dim", shown: string) => string;

/**
 * `12:00:01.204Z  200  trader      POST /order  3.1 ms  entry 7  req-00000012`, without the prefix of the paths. A line that
 * is longer than `columns` loses of its target, then of its notes; the id stays, because `why` asks for it.
 */
export function lineOf(exchange: ListedExchange, prefix: string, paint: Paint, columns = Infinity): string {
  const { receivedAt, status, key, method, target, durationMs, requestId } = exchange;
  const path = target.startsWith(prefix) ? target.slice(prefix.length) : target;
  const time = receivedAt.slice(11);
  const code = status === 0 ? "---" : String(status);
  const took = `${durationMs.toFixed(1)} ms`;
  const fixed = [time, code, (key ?? "?").padEnd(12), took, requestId];
  const notes = notesOn(exchange);
  const asked = `${method} ${path}`;
  const room = columns - widthOf([...fixed, ...notes]) - gap.length;
  const cutAsked = cut(asked, Math.max(room, leastOfTarget));
  const roomForNotes = columns - widthOf([...fixed, cutAsked]) - gap.length;
  return [
    paint("dim", time),
    paint(styleOf(status), code),
    fixed[2] ?? "",
    cutAsked,
    paint("dim", took),
    ...[cut(notes.join(gap), roomForNotes)].filter((text) => text !== ""),
    paint("dim", requestId),
  ].join(gap);
}

const gap = "  ";
const widthOf = (parts: readonly string[]): number => parts.join(gap).length;
const cut = (text: string, width: number): string =>
  text.length <= width ? text : width < 1 ? "" : `${text.slice(0, width - 1)}…`;

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
