/**
 * One exchange: a request with its answer, or a WebSocket from its handshake to its end.
 *
 * **Invariant.** Nothing secret is in it: the key id of `X-API-KEY` becomes the name of the key, signatures and credentials of
 * other kinds are left out by the names of their headers, and secrets wherever they stand by `redactor.ts`.
 *
 * **Cost.** Keeping an exchange costs every request time, so raw texts are kept; they are formatted when they are written.
 */
import type { Diagnosis } from "../auth/signature-search.ts";
import type { FiredFault } from "../domain/fault.ts";
import type { Entries, Place } from "../sequencer/sequencer.ts";
import type { EndedStream } from "../stream/stream-record.ts";
import type { Choices } from "../world/freedoms.ts";

export interface Exchange {
  /** The `x-request-id` of the answer. A client may choose it, so it need not be unique. */
  readonly id: string;
  readonly kind: "request" | "stream";
  /** Name of the world that took it. */
  readonly world: string;
  /** Real time of its arrival, milliseconds since the epoch. */
  readonly at: number;
  readonly durationMs: number;
  readonly address: string;
  /** Names of the key and of its client; null for a key that no world knows. */
  readonly key: string | null;
  readonly client: string | null;
  readonly request: SentRequest;
  readonly answer: GivenAnswer;
  /** The journal entries that it caused at once, both included. */
  readonly entries: Entries | null;
  /** Where in the journal it was served; null for a WebSocket, and for a request that was refused before. */
  readonly place: Place | null;
  /** Faults of rules that took effect on it. */
  readonly faults: readonly FiredFault[];
  /** The freedoms of its world whose option was not the default. */
  readonly freedoms: Choices;
  /** Whether its credentials passed as far as they can be judged without the body. */
  readonly screened: boolean;
  /** The diagnosis of a wrong signature; null for a request that was not refused because of one. */
  readonly signature: Diagnosis | null;
  /** The end of a WebSocket; null for a request, and while the WebSocket is open. */
  readonly stream: EndedStream | null;
}

/** An exchange with its place in the log. */
export interface LoggedExchange extends Exchange {
  readonly number: number;
}

export interface ExchangeFilter {
  readonly world: string;
  readonly limit: number;
  /** Only exchanges behind this number; null for the newest. */
  readonly after: number | null;
  readonly key: string | null;
  /** `404`, or `4xx` for all of a class. */
  readonly status: string | null;
  /** The beginning of the target. */
  readonly path: string | null;
}

/** The exchange log as its readers know it. */
export interface ExchangeReader {
  readonly dropped: number;
  readonly list: (filter: ExchangeFilter) => LoggedExchange[];
  readonly find: (world: string, id: string) => LoggedExchange | undefined;
  readonly findInBody: (world: string, clientOrderId: string) => LoggedExchange | undefined;
  readonly examined: (exchange: LoggedExchange) => Promise<LoggedExchange>;
}

export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Bytes;
}

export interface GivenAnswer {
  readonly status: number;
  /** Code of the refusal; null for a success. */
  readonly code: string | null;
  readonly headers: readonly Header[];
  readonly body: Bytes;
  /** False when the connection ended before the answer had left. */
  readonly sent: boolean;
}

export interface Header {
  readonly name: string;
  readonly value: string;
}

/** The first of the bytes of a body: as text, or in base64 where they are none. */
export interface Bytes {
  /** Of the whole body. */
  readonly length: number;
  readonly text?: string;
  readonly base64?: string;
}

/** The bytes of a body that are kept. */
export const mostKept = 16_384;

const replacement = "\u{fffd}";

/** The beginning of a body, and the length of the whole. */
export interface Kept {
  readonly length: number;
  readonly start: Buffer | string;
}

/** An answer is text, cut by characters; a request is bytes. Nothing of it keeps a larger whole in memory. */
export function keptOf(body: Buffer | string, most = mostKept): Kept {
  if (typeof body === "string") {
    const length = Buffer.byteLength(body);
    return { length, start: length > most ? Buffer.from(body.slice(0, most)).toString() : body };
  }
  const { length } = body;
  const start = length > most ? body.subarray(0, most) : body;
  const text = start.toString();
  // A text that was cut may end within a character.
  const whole = length > most ? text.replace(/\ufffd$/, "") : text;
  return { length, start: whole.includes(replacement) ? Buffer.from(start) : whole };
}

export function bytesShown({ length, start }: Kept): Bytes {
  if (length === 0) return noBytes;
  return typeof start === "string" ? { length, text: start } : { length, base64: start.toString("base64") };
}

const noBytes: Bytes = { length: 0 };

const mostHeaders = 100;

/** `rawHeaders` alternates names and values, as Node gives them. */
export function headersShown(rawHeaders: readonly string[], key: string | null): readonly Header[] {
  const shown: Header[] = [];
  for (let at = 0; at + 1 < rawHeaders.length && shown.length < mostHeaders; at += 2) {
    const name = rawHeaders[at] ?? "";
    shown.push({ name, value: valueShown(name, rawHeaders[at + 1] ?? "", key) });
  }
  return shown;
}

const longestValue = 1024;

function valueShown(name: string, value: string, key: string | null): string {
  if (name.toLowerCase() === "x-api-key") return key ?? `(an unknown key id of ${value.length} characters)`;
  if (/authori[sz]ation|cookie|token|secret|password/i.test(name)) return "(left out)";
  // Misspelled, it is still a signature that another could send.
  if (/sign/i.test(name)) return `(${value.length} characters)`;
  return value.length > longestValue ? value.slice(0, longestValue) : value;
}
