import { UsageError } from "../model/position.ts";
import { type ImportedExchange, importedRecording } from "./imported.ts";
import type { Recording } from "./read-recording.ts";
import { type RecordedBytes, type RecordedHeader, recordedBytes, valueOf } from "./recording.ts";

/** What `curl -v` shows: lines of the request begin with `>`, of the answer with `<`, and curl's own with `*`. */
export const isCurl = (text: string): boolean => /^> \S+ \S+ HTTP\/[\d.]+\s*$/m.test(text);

const mostExchanges = 5000;

/** Where the answer goes to a file or a pipe, curl also shows how far it is. */
const progress =
  /^ {1,2}% Total .*|^ {20,}Dload .*|\d{1,3}(?: {1,12}[\d.]{1,12}[kMGTP]?){7}(?: {1,2}[-\d]{2,3}:[-\d]{2}:[-\d]{2}){3} {1,8}[\d.]+[kMGTP]?/gm;

interface Draft {
  readonly line: number;
  readonly method: string;
  readonly target: string;
  readonly command: string | undefined;
  readonly sent: RecordedHeader[];
  status: number;
  got: RecordedHeader[];
  readonly body: string[];
}

/** curl shows no body that it sends, so that of a request is taken from the command before it, if that is there. */
export function readCurl(file: string, text: string): Recording {
  const drafts = draftsIn(file, text.replaceAll(progress, "\n").split(/\r?\n|\r/));
  let time = 0;
  const found = drafts.map((draft): ImportedExchange => {
    // Without times of its own a transcript is a sequence.
    time = Math.max(time + 1, timeOf(draft) ?? 0);
    return exchangeOf(draft, time);
  });
  return importedRecording(found, []);
}

function draftsIn(file: string, lines: readonly string[]): Draft[] {
  const drafts: Draft[] = [];
  let command: string | undefined;
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const [, method, target] = /^> (\S+) (\S+) HTTP\/[\d.]+\s*$/.exec(line) ?? [];
    const draft = drafts.at(-1);
    if (method !== undefined && target !== undefined) {
      drafts.push({ line: at + 1, method, target, command, sent: [], status: 0, got: [], body: [] });
      command = undefined;
      if (drafts.length > mostExchanges)
        throw new UsageError(`${file}:${at + 1}: a transcript has at most ${mostExchanges} requests`);
    } else if (/^(?:\$ )?curl\s/.test(line)) {
      const words = [line];
      while (words.at(-1)?.endsWith("\\") === true && at + 1 < lines.length)
        words.push(lines[(at += 1)] ?? "");
      command = words.map((word) => word.replace(/\\$/, "")).join(" ");
    } else if (draft !== undefined) readLine(draft, line);
  }
  return drafts;
}

function readLine(draft: Draft, line: string): void {
  const [, sent, got] = /^(?:> (.*)|< (.*))$/.exec(line) ?? [];
  if (sent !== undefined) draft.sent.push(...headerIn(sent));
  else if (got !== undefined) {
    const status = /^HTTP\/[\d.]+ (\d{3})/.exec(got)?.[1];
    // A second status line is that of the final answer.
    if (status !== undefined) [draft.status, draft.got] = [Number(status), []];
    else draft.got.push(...headerIn(got));
  } else if (draft.status > 0 && !/^(?:[*<>]|[{}] \[\d+ bytes data\])/.test(line) && line !== "")
    draft.body.push(line);
}

function headerIn(text: string): RecordedHeader[] {
  const [, name, value = ""] = /^([^\s:]+): ?(.*)$/.exec(text.trimEnd()) ?? [];
  return name === undefined ? [] : [[name, value]];
}

function timeOf({ got, sent }: Draft): number | undefined {
  const date = Date.parse(valueOf(got, "date") ?? "");
  const stamp = Number(valueOf(sent, "x-api-timestamp") ?? Number.NaN);
  return Number.isNaN(date) ? (Number.isSafeInteger(stamp) ? stamp : undefined) : date;
}

function exchangeOf(
  { method, target, sent, command, status, got, body }: Draft,
  time: number,
): ImportedExchange {
  const shown = body.join("\n").replace(/\* Connection #\d+ to host .*$/s, "");
  return {
    time,
    durationMs: 0,
    method,
    target,
    headers: sent,
    body: sentBody(Number(valueOf(sent, "content-length") ?? 0), command),
    ...(status === 0 ? {} : { answer: { status, headers: got, body: recordedBytes(Buffer.from(shown)) } }),
  };
}

function sentBody(length: number, command: string | undefined): RecordedBytes {
  if (!(length > 0)) return { length: 0 };
  const data = command === undefined ? undefined : dataIn(command);
  const bytes = Buffer.from(data ?? "");
  // A body from a variable or a file has another length than what stands in the command.
  return bytes.length === length ? recordedBytes(bytes) : { length, cut: true };
}

/** The argument of -d as a shell reads it, in either kind of quotes. */
function dataIn(command: string): string | undefined {
  const pattern =
    /(?:\s-d|\s--data(?:-raw|-binary|-ascii)?|\s--json)(?:\s+|=)(?:'([^']*)'|"((?:[^"\\]|\\.)*)"|([^\s'"]+))/;
  const [, single, double, plain] = pattern.exec(command) ?? [];
  return single ?? double?.replaceAll(/\\(["\\$`])/g, "$1") ?? plain;
}
