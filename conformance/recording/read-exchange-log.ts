import { UsageError } from "../model/position.ts";
import { type ImportedExchange, importedRecording, withoutOwn } from "./imported.ts";
import type { Recording } from "./read-recording.ts";
import { type RecordedBytes, type RecordedHeader, valueOf } from "./recording.ts";

// tidy-allow-file absence: answers of another program, which says null

/** One exchange as the control surface of the simulator shows it. */
interface LoggedExchange {
  readonly kind: string;
  readonly receivedAt: string;
  readonly durationMs: number;
  readonly key: string | null;
  readonly method: string;
  readonly target: string;
  readonly status: number;
  readonly sent: boolean;
  readonly request: { readonly headers: readonly LoggedHeader[]; readonly body: RecordedBytes };
  readonly answer: { readonly headers: readonly LoggedHeader[]; readonly body: RecordedBytes };
}

interface LoggedHeader {
  readonly name: string;
  readonly value: string;
}

/** How the kit names itself to a target. */
const ofTheKit = /^gatewright\/\S+ \(/;

/** The exchange log of a sandbox, which needs no recorder. It has no messages of streams. */
export function readExchangeLog(found: readonly unknown[]): Recording {
  const logged = found.map((value, index) => {
    if (!isLogged(value))
      throw new UsageError(`exchange ${index + 1} of the sandbox is none that this build knows`);
    return value;
  });
  const streams = logged.filter(({ kind }) => kind === "stream").length;
  const remarks =
    streams === 0
      ? []
      : [`the messages of ${streams} WebSocket are not in the exchange log: gatewright record keeps them`];
  const requests = logged.filter(({ kind }) => kind === "request").map(exchangeOf);
  const { chosen, remarks: left } = withoutOwn(requests, ({ headers }) =>
    ofTheKit.test(valueOf(headers, "user-agent") ?? ""),
  );
  const recording = importedRecording(chosen, [...remarks, ...left]);
  return { ...recording, isOfClient: false };
}

function exchangeOf(logged: LoggedExchange): ImportedExchange {
  const { receivedAt, durationMs, key, method, target, status, sent, request, answer } = logged;
  return {
    time: Date.parse(receivedAt),
    durationMs,
    method,
    target,
    headers: pairsOf(request.headers),
    body: bytesOf(request.body),
    key: key ?? "",
    ...(status === 0 || !sent
      ? {}
      : { answer: { status, headers: pairsOf(answer.headers), body: bytesOf(answer.body) } }),
  };
}

const pairsOf = (headers: readonly LoggedHeader[]): RecordedHeader[] =>
  headers.map(({ name, value }) => [name, value]);

/** The log keeps the beginning of a long body without saying so. */
function bytesOf(body: RecordedBytes): RecordedBytes {
  const kept =
    body.text === undefined ? Buffer.from(body.base64 ?? "", "base64").length : Buffer.byteLength(body.text);
  return kept < body.length ? { ...body, cut: true } : body;
}

function isLogged(value: unknown): value is LoggedExchange {
  const one = value as Partial<LoggedExchange> | null;
  return (
    typeof one?.kind === "string" &&
    typeof one.receivedAt === "string" &&
    typeof one.durationMs === "number" &&
    typeof one.method === "string" &&
    typeof one.target === "string" &&
    typeof one.status === "number" &&
    [one.request, one.answer].every(
      (part) => Array.isArray(part?.headers) && typeof part.body?.length === "number",
    )
  );
}
