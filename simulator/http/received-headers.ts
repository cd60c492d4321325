/**
 * The headers that matter before anyone is known, from the raw ones in one pass: Node's own view hides the second of two
 * equal headers or joins them. Without `maxHeadersCount = 0` both would end at the first thousand.
 */
import type { IncomingMessage } from "node:http";
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

const GUARDED = new Set([
  "host",
  "origin",
  "content-type",
  "content-length",
  "content-encoding",
  "transfer-encoding",
  "expect",
]);
const CREDENTIALS: ReadonlyMap<string, CredentialHeader> = new Map([
  ["x-api-key", "X-API-KEY"],
  ["x-api-timestamp", "X-API-TIMESTAMP"],
  ["x-api-nonce", "X-API-NONCE"],
  ["x-api-signature", "X-API-SIGNATURE"],
]);

/** `rawHeaders` alternates names and values. */
export function headersOf({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): ReceivedHeaders {
  const values = new Map<string, string>();
  let repeated: string | null = null;
  let repeatedCredential: CredentialHeader | null = null;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? "";
    const name = sent.toLowerCase();
    const credential = CREDENTIALS.get(name) ?? null;
    if (credential === null && !GUARDED.has(name)) continue;
    if (!values.has(name)) values.set(name, rawHeaders[index + 1] ?? "");
    else if (credential === null) repeated ??= sent;
    else repeatedCredential ??= credential;
  }
  return {
    count: rawHeaders.length / 2,
    host: values.get("host"),
    origin: values.get("origin"),
    contentType: values.get("content-type"),
    contentLength: values.get("content-length"),
    contentEncoding: values.get("content-encoding"),
    transferEncoding: values.get("transfer-encoding"),
    expect: values.get("expect"),
    repeated,
    credentials: {
      keyId: values.get("x-api-key") ?? "",
      timestamp: values.get("x-api-timestamp") ?? "",
      nonce: values.get("x-api-nonce") ?? "",
      signature: values.get("x-api-signature") ?? "",
      repeated: repeatedCredential,
    },
  };
}

/**
 * Whether the message announces a body. `Content-Length: 0` is none; a chunked one may turn out to be empty.
 */
export const announcesBody = (headers: ReceivedHeaders): boolean =>
  headers.transferEncoding !== undefined || Number(headers.contentLength ?? 0) > 0;
