/**
 * The headers that are read before authentication, from the raw list in one pass: Node's own view hides the second of two
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

type Field = Exclude<keyof ReceivedHeaders | keyof SentCredentials, "count" | "repeated" | "credentials">;

const fields: ReadonlyMap<string, Field> = new Map([
  ["host", "host"],
  ["origin", "origin"],
  ["content-type", "contentType"],
  ["content-length", "contentLength"],
  ["content-encoding", "contentEncoding"],
  ["transfer-encoding", "transferEncoding"],
  ["expect", "expect"],
  ["x-api-key", "keyId"],
  ["x-api-timestamp", "timestamp"],
  ["x-api-nonce", "nonce"],
  ["x-api-signature", "signature"],
]);
const credentials: Partial<Record<Field, CredentialHeader>> = {
  keyId: "X-API-KEY",
  timestamp: "X-API-TIMESTAMP",
  nonce: "X-API-NONCE",
  signature: "X-API-SIGNATURE",
};

/** `rawHeaders` alternates names and values. */
export function headersOf({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">): ReceivedHeaders {
  const values: Partial<Record<Field, string>> = {};
  let repeated: string | null = null;
  let repeatedCredential: CredentialHeader | null = null;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? "";
    const field = fields.get(sent.toLowerCase());
    if (field === undefined) continue;
    if (values[field] === undefined) values[field] = rawHeaders[index + 1] ?? "";
    else if (credentials[field] === undefined) repeated ??= sent;
    else repeatedCredential ??= credentials[field];
  }
  return {
    count: rawHeaders.length / 2,
    host: values.host,
    origin: values.origin,
    contentType: values.contentType,
    contentLength: values.contentLength,
    contentEncoding: values.contentEncoding,
    transferEncoding: values.transferEncoding,
    expect: values.expect,
    repeated,
    credentials: {
      keyId: values.keyId ?? "",
      timestamp: values.timestamp ?? "",
      nonce: values.nonce ?? "",
      signature: values.signature ?? "",
      repeated: repeatedCredential,
    },
  };
}

/**
 * Whether the message announces a body. `Content-Length: 0` is none; a chunked one may turn out to be empty.
 */
export const announcesBody = (headers: ReceivedHeaders): boolean =>
  headers.transferEncoding !== undefined || Number(headers.contentLength ?? 0) > 0;
