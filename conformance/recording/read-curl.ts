import { isDeepStrictEqual } from "node:util";
import { readJsonText } from "../check/lossless-json.ts";
import { resolvePointer } from "../check/pointer.ts";
import { JsonNumber } from "../model/json.ts";
import { UsageError } from "../model/position.ts";
import { type CurlCommand, curlCommand, curlStart } from "./curl-command.ts";
import { dataGot, dataSent, withoutTrace } from "./curl-trace.ts";
import { type ImportedExchange, importedRecording } from "./imported.ts";
import type { Recording } from "./read-recording.ts";
import { type RecordedBytes, type RecordedHeader, recordedBytes, valueOf } from "./recording.ts";

const mostExchanges = 5000;

/** Where the answer goes to a file or a pipe, curl also shows how far it is. */
const progress =
  /^ {1,2}% Total .*|^ {20,}Dload .*|\d{1,3}(?: {1,12}[\d.]{1,12}[kMGTP]?){7}(?: {1,2}[-\d]{2,3}:[-\d]{2}:[-\d]{2}){3} {1,8}[\d.]+[kMGTP]?/gm;

/** A request in what somebody copied from a terminal. */
export interface CurlExchange extends ImportedExchange {
  /** Why a part of it is not known. */
  readonly problem?: string;
}

interface Draft {
  readonly method: string;
  readonly target: string;
  readonly command: CurlCommand | undefined;
  /** The command shows the request, and nothing else does. */
  readonly isOfCommand: boolean;
  readonly problem: string | undefined;
  readonly sent: RecordedHeader[];
  /** Bodies as --trace shows them. */
  dataSent: string;
  dataGot: string;
  status: number;
  got: RecordedHeader[];
  /** `-i` shows the head of an answer among its body, and an empty line ends it. */
  isInHead: boolean;
  readonly body: string[];
}

/**
 * What curl prints, with -v, -i, --trace or --trace-ascii, and commands alone. curl -v shows no body that it sends, so that of a
 * request is taken from the command before it, if that is there. Undefined if the text has nothing of curl.
 */
export function readCurl(file: string, text: string): Recording | undefined {
  const found = curlExchanges(file, text);
  if (found.length === 0) return undefined;
  const remarks = [
    ...new Set(found.flatMap(({ body, problem }) => (body.cut === true ? (problem ?? []) : []))),
  ];
  return importedRecording(found, remarks, { mayHide: true });
}

export function curlExchanges(file: string, text: string): CurlExchange[] {
  let time = 0;
  return new CurlOutput(file, text).read().map((draft): CurlExchange => {
    // Without times of its own a transcript is a sequence.
    time = Math.max(time + 1, timeOf(draft) ?? 0);
    return exchangeOf(draft, time);
  });
}

/** A mail marks each line of what it quotes; curl marks those of a request alike, and no others. */
function unquoted(text: string): string {
  const lines = text.split("\n");
  const isQuote = lines.every((line) => line.trim() === "" || line.startsWith(">"));
  return isQuote && lines.some((line) => /^> ?[*<>$]/.test(line))
    ? lines.map((line) => line.replace(/^> ?/, "")).join("\n")
    : text;
}

/** The lines that curl printed, one after the other. */
class CurlOutput {
  readonly #file: string;
  readonly #text: string;
  readonly #drafts: Draft[] = [];
  #at = 0;
  #commands = 0;
  /** The last command, and why it is not known. */
  #command: CurlCommand | undefined;
  #problem: string | undefined;
  /** Whether a request was made of it. */
  #isShown = true;

  constructor(file: string, text: string) {
    this.#file = file;
    this.#text = withoutTrace(unquoted(text).replaceAll(progress, "\n").replaceAll(/\r\n?/g, "\n"));
  }

  read(): readonly Draft[] {
    while (this.#at < this.#text.length) {
      const { line, next } = this.#line();
      const start = curlStart(line);
      const [, method, target] = /^> (\S+) (\S+) HTTP\/[\d.]+\s*$/.exec(line) ?? [];
      if (method !== undefined && target !== undefined) this.#add({ method, target });
      else if (start === undefined) this.#answered(line);
      const end = start === undefined ? undefined : this.#take(this.#at + start);
      this.#at = end ?? next;
    }
    this.#showCommand();
    return this.#drafts;
  }

  /** A body without a line end stands before the next prompt. */
  #line(): { readonly line: string; readonly next: number } {
    const found = this.#text.indexOf("\n", this.#at);
    const end = found === -1 ? this.#text.length : found;
    const line = this.#text.slice(this.#at, end);
    const body = /^\s*\{/.test(line) ? promptBehind.exec(line) : null;
    return body === null
      ? { line, next: end + 1 }
      : { line: line.slice(0, body.index + 1), next: this.#at + body.index + 1 };
  }

  /** Returns where the command ends. */
  #take(from: number): number | undefined {
    this.#refuseBeyond((this.#commands += 1));
    const read = curlCommand(this.#text, from);
    // `set -x` shows a command again that stands behind a prompt.
    if (!isDeepStrictEqual(read?.command, this.#command)) this.#showCommand();
    this.#command = read?.command;
    this.#problem = read === undefined ? notUnderstood : read.command?.problem;
    this.#isShown = this.#command === undefined;
    return read?.end;
  }

  /** Without -v the answer is what follows the command: a head with -i, and a body without it. */
  #answered(line: string): void {
    if (statusLine.test(line) || /^\s*\{ *"/.test(line)) this.#showCommand();
    const draft = this.#isShown ? this.#drafts.at(-1) : undefined;
    if (draft !== undefined) readLine(draft, line);
  }

  #showCommand(): void {
    const command = this.#command;
    if (command === undefined || this.#isShown) return;
    const { method, url: target, headers } = command;
    this.#add({ method, target, isOfCommand: true, sent: [...headers] });
  }

  #add(draft: Pick<Draft, "method" | "target"> & Partial<Draft>): void {
    this.#isShown = true;
    this.#drafts.push({ ...empty(), command: this.#command, problem: this.#problem, ...draft });
    this.#refuseBeyond(this.#drafts.length);
  }

  #refuseBeyond(count: number): void {
    if (count <= mostExchanges) return;
    const line = this.#text.slice(0, this.#at).split("\n").length;
    throw new UsageError(`${this.#file}:${line}: a transcript has at most ${mostExchanges} requests`);
  }
}

const empty = (): Omit<Draft, "method" | "target" | "command" | "problem"> => ({
  isOfCommand: false,
  sent: [],
  dataSent: "",
  dataGot: "",
  status: 0,
  got: [],
  isInHead: false,
  body: [],
});

const promptBehind = /\}(?=[^{}"',]{0,100}[$#%>] *curl(?:\.exe)? )/;
const notUnderstood =
  "a quotation mark of a curl command is not closed, so its body is not known: copy all of the command";

function readLine(draft: Draft, line: string): void {
  const [, sent, got] = /^(?:> (.*)|< (.*))$/.exec(line) ?? [];
  const isStatus = statusLine.test(line) && draft.body.every((one) => one === "");
  if (sent !== undefined) draft.sent.push(...headerIn(sent));
  else if (got !== undefined) readHead(draft, got);
  else if (line.startsWith(dataSent)) draft.dataSent += dataIn(line);
  else if (line.startsWith(dataGot)) draft.dataGot += dataIn(line);
  else if (isStatus || draft.isInHead) {
    draft.isInHead = line !== "";
    readHead(draft, line);
  } else if (/^(?:[*<>]|[{}] \[\d+ bytes data\])/.test(line)) return;
  else if (draft.status > 0 || draft.isOfCommand) draft.body.push(line);
}

const statusLine = /^HTTP\/[\d.]+ (\d{3})(?: |$)/;

function readHead(draft: Draft, line: string): void {
  const status = statusLine.exec(line)?.[1];
  // A second status line is that of the final answer.
  if (status !== undefined) [draft.status, draft.got] = [Number(status), []];
  else draft.got.push(...headerIn(line));
}

function dataIn(line: string): string {
  try {
    return String(JSON.parse(line.slice(2)));
  } catch {
    return "";
  }
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

function exchangeOf(draft: Draft, time: number): CurlExchange {
  const { method, target, sent, isOfCommand, got, problem } = draft;
  const shown = answerIn(draft);
  const status = draft.status > 0 ? draft.status : statusIn(shown);
  const answered = status !== undefined && status > 0;
  return {
    time,
    durationMs: 0,
    method,
    target,
    headers: sent,
    body: isOfCommand ? bodyOf(draft.command) : sentBody(draft),
    ...(answered ? { answer: { status, headers: got, body: recordedBytes(Buffer.from(shown)) } } : {}),
    ...(answered || !isOfCommand ? {} : { isUnseen: true as const }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** The lines of curl itself that stand behind a body without a line end. */
const glued =
  /\*\s+(?:Connection #\d+ to host|Closing connection|Found bundle|Re-using existing|Mark bundle|shutting down|TLSv1|SSL|Trying|Hostname)[^]*$/;

function answerIn({ body, got, dataGot: data }: Draft): string {
  if (data !== "") return data;
  const shown = body.join("\n").trim();
  const length = Number(valueOf(got, "content-length"));
  const bytes = Buffer.from(shown);
  return length > 0 && length < bytes.length && valueOf(got, "content-encoding") === undefined
    ? bytes.subarray(0, length).toString("utf8")
    : withoutEnd(shown.replace(glued, ""));
}

/** Behind a JSON body may stand a prompt. */
const withoutEnd = (shown: string): string =>
  shown.startsWith("{") && shown.includes("}") ? shown.slice(0, shown.lastIndexOf("}") + 1) : shown.trimEnd();

/** Without -i and -v only the envelope says the status. */
function statusIn(shown: string): number | undefined {
  const reading = shown === "" ? undefined : readJsonText(shown);
  const status = reading?.ok === true ? resolvePointer(reading.json, "/statusCode") : undefined;
  return status instanceof JsonNumber && /^[1-5]\d\d$/.test(status.lexeme)
    ? Number(status.lexeme)
    : undefined;
}

const bodyOf = (command: CurlCommand | undefined): RecordedBytes =>
  command?.body === undefined ? { length: 1, cut: true } : recordedBytes(command.body);

function sentBody({ sent, command, dataSent: data }: Draft): RecordedBytes {
  const length = Number(valueOf(sent, "content-length") ?? 0);
  if (!(length > 0)) return { length: 0 };
  const bytes = data !== "" ? Buffer.from(data) : (command?.body ?? Buffer.alloc(0));
  // A body from a variable or a file has another length than what stands in the command.
  return bytes.length === length ? recordedBytes(bytes) : { length, cut: true };
}
