/**
 * The headers that matter before anyone is known. Node's own view hides the second of two equal headers or joins
 * them, so it is used only where it has as many headers as came; otherwise the raw ones are read in one pass.
 * Without `maxHeadersCount = 0` both would end at the first thousand.
 */
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { CredentialHeader } from "../auth/auth-failures.ts";
import type { SentCredentials } from "../auth/authenticate.ts";

/** The headers that decide something before authentication; undefined = not sent. */
export interface ReceivedHeaders {
  readonly count: number;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly contentType: string | undefined;
  readonly contentLength: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly transferEncoding: string | undefined;
  readonly expect: string | undefined;
  /** Name of a framing or routing header that came more than once. */
  readonly repeated: string | null;
  readonly credentials: SentCredentials;
}

const GUARDED = [
  "host",
  "origin",
  "content-type",
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "expect",
] as const;
const CREDENTIALS: Readonly<Record<string, CredentialHeader>> = {
  "x-api-key": "X-API-KEY",
  "x-api-timestamp": "X-API-TIMESTAMP",
  "x-api-nonce": "X-API-NONCE",
  "x-api-signature": "X-API-SIGNATURE",
};

const NAMES: readonly string[] = [...GUARDED, ...Object.keys(CREDENTIALS)];
const LENGTHS = new Set(NAMES.map((name) => name.length));
const POSITIONS = new Map(NAMES.map((name, position) => [name, position]));

export function headersOf({
  headers,
  rawHeaders,
}: Pick<IncomingMessage, "headers" | "rawHeaders">): ReceivedHeaders {
  let count = 0;
  for (const _ in headers) count += 1;
  return count * 2 === rawHeaders.length ? withoutRepeats(headers, count) : readHeaders(rawHeaders);
}

const withoutRepeats = (headers: IncomingHttpHeaders, count: number): ReceivedHeaders => ({
  count,
  host: headers.host,
  origin: headers.origin,
  contentType: headers["content-type"],
  contentLength: headers["content-length"],
  contentEncoding: headers["content-encoding"],
  transferEncoding: headers["transfer-encoding"],
  expect: headers.expect,
  repeated: null,
  credentials: {
    keyId: only(headers["x-api-key"]),
    timestamp: only(headers["x-api-timestamp"]),
    nonce: only(headers["x-api-nonce"]),
    signature: only(headers["x-api-signature"]),
    repeated: null,
  },
});

/** Node makes lists of cookies alone. */
const only = (value: string | readonly string[] | undefined): string =>
  typeof value === "string" ? value : "";

/** `rawHeaders` alternates names and values. */
export function readHeaders(rawHeaders: readonly string[]): ReceivedHeaders {
  const values = new Array<string | undefined>(NAMES.length).fill(undefined);
  let repeated: string | null = null;
  let repeatedCredential: CredentialHeader | null = null;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? "";
    if (!LENGTHS.has(sent.length)) continue;
    const name = sent.toLowerCase();
    const position = POSITIONS.get(name);
    if (position === undefined) continue;
    if (values[position] === undefined) values[position] = rawHeaders[index + 1] ?? "";
    else if (position < GUARDED.length) repeated ??= sent;
    else repeatedCredential ??= CREDENTIALS[name] ?? null;
  }
  // By position in NAMES: taking a list apart by pattern takes longer than reading the headers.
  return {
    count: rawHeaders.length / 2,
    host: values[0],
    origin: values[1],
    contentType: values[2],
    contentLength: values[3],
    contentEncoding: values[4],
    transferEncoding: values[5],
    expect: values[6],
    repeated,
    credentials: {
      keyId: values[7] ?? "",
      timestamp: values[8] ?? "",
      nonce: values[9] ?? "",
      signature: values[10] ?? "",
      repeated: repeatedCredential,
    },
  };
}

/**
 * Whether the message announces a body. `Content-Length: 0` is none; a chunked one may turn out to be empty.
 */
export const announcesBody = (headers: ReceivedHeaders): boolean =>
  headers.transferEncoding !== undefined || Number(headers.contentLength ?? 0) > 0;
