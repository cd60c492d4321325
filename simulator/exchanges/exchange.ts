/**
 * One exchange: a request with its answer, or a WebSocket from its handshake to its end.
 *
 * **Invariant.** Nothing secret is in it: a key id becomes the name of the key, a signature the beginning of its SHA-256,
 * and credentials of other kinds are left out.
 */
import { createHash } from "node:crypto";
import { printable } from "../http/printable.ts";
import type { Entries } from "../sequencer/sequencer.ts";
import type { EndedStream } from "../stream/hub.ts";

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
  /** Whether its credentials passed as far as they can be judged without the body. */
  readonly screened: boolean;
  /** What became of a WebSocket; null for a request, and while the WebSocket is open. */
  readonly stream: EndedStream | null;
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

/** So much of a body is kept. */
export const mostKept = 16_384;

const utf8 = new TextDecoder("utf-8", { fatal: true });

export function bytesShown(body: Uint8Array | string): Bytes {
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  const kept = bytes.subarray(0, mostKept);
  try {
    // What was cut may end within a character.
    return { length: bytes.length, text: utf8.decode(kept, { stream: kept.length < bytes.length }) };
  } catch {
    return { length: bytes.length, base64: Buffer.from(kept).toString("base64") };
  }
}

const leftOut = new Set(["authorization", "proxy-authorization", "cookie"]);
const mostHeaders = 100;
const longestValue = 1024;

/** `rawHeaders` alternates names and values. */
export function headersShown(rawHeaders: readonly string[], key: string | null): readonly Header[] {
  const shown: Header[] = [];
  for (let at = 0; at + 1 < rawHeaders.length && shown.length < mostHeaders; at += 2) {
    const name = rawHeaders[at] ?? "";
    shown.push({ name, value: valueShown(name.toLowerCase(), rawHeaders[at + 1] ?? "", key) });
  }
  return shown;
}

function valueShown(name: string, value: string, key: string | null): string {
  if (leftOut.has(name)) return "(left out)";
  if (name === "x-api-signature") return signatureShown(value);
  if (name === "x-api-key") return key === null ? `(an unknown key id of ${value.length} characters)` : key;
  return printable(value, longestValue);
}

const signatureShown = (value: string): string =>
  value === "" ? "" : `(${value.length} characters, SHA-256 ${sha256(value).slice(0, 12)}…)`;

const sha256 = (value: string): string => createHash("sha256").update(value, "latin1").digest("hex");
