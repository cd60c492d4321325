/** The pasted text as a request: a curl command, a raw HTTP request or an entry of a HAR file. */
import { curlRequest } from "./curl.ts";
import { harRequest } from "./har.ts";
import { type PastedHttp, unreadable } from "./pasted-http.ts";
import { rawRequest } from "./raw-http.ts";

/** The parts of it that a signature depends on. */
export interface Pasted {
  readonly method: string;
  readonly target: string;
  readonly host: string | undefined;
  readonly contentType: string | undefined;
  readonly keyId: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly signature: string;
  readonly body: Buffer;
}

export function readPasted(bytes: Buffer): Pasted {
  const text = bytes.toString("utf8").trimStart();
  if (text === "") throw unreadable("nothing was pasted");
  const { method, target, headers, body } = requestIn(text, bytes);
  const valuesOf = (wanted: string): readonly string[] =>
    headers.flatMap(([name, value]) => (name.toLowerCase() === wanted ? [value.trim()] : []));
  const credential = (name: string): string => {
    const [value, ...others] = valuesOf(name.toLowerCase());
    if (value === undefined || value === "")
      throw unreadable(
        `the request has no header ${name}: paste it with the four headers of its credentials, values included`,
      );
    if (others.length > 0)
      throw unreadable(`the request has ${name} ${others.length + 1} times: send it once`);
    return value;
  };
  return {
    method,
    target,
    host: valuesOf("host")[0],
    contentType: valuesOf("content-type")[0],
    keyId: credential("X-API-KEY"),
    timestamp: credential("X-API-TIMESTAMP"),
    nonce: credential("X-API-NONCE"),
    signature: credential("X-API-SIGNATURE"),
    body,
  };
}

function requestIn(text: string, bytes: Buffer): PastedHttp {
  if (/^(\$ )?curl(\.exe)?\s/.test(text)) return curlRequest(text);
  if (text.startsWith("{")) return harRequest(text);
  if (/^[A-Za-z]+ \S+ HTTP\/[0-9.]+\r?\n/.test(text)) return rawRequest(bytes);
  throw unreadable(
    "this is none of a curl command, a raw HTTP request (POST /api/v1/trading/order HTTP/1.1) and an entry of a HAR file",
  );
}
