/** The pasted text as a request: a curl command, a raw HTTP request or an entry of a HAR file. */

import * as kit from "../../conformance/commands.ts";
import { type PastedHttp, splitUrl, unreadable } from "./pasted-http.ts";
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

export function readPasted(pasted: Buffer): Pasted {
  const bytes = kit.utf8In(pasted);
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
    if (kit.isHidden(value))
      throw unreadable(`the value of ${name} is hidden (${value}): paste it as it was sent`);
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
  if (text.startsWith("{")) return signedOne(kit.harExchanges("the HAR", text));
  if (/^[A-Za-z]+ \S+ HTTP\/[0-9.]+\r?\n/.test(text)) return rawRequest(bytes);
  const found = kit.curlExchanges("the text", text);
  if (found.length > 0) return signedOne(found);
  if (/^\S* ?curl(?:\.exe)?\s/.test(text))
    throw unreadable("a quotation mark of the curl command is not closed: copy all of it");
  throw unreadable(
    "this is none of a curl command, a raw HTTP request (POST /api/v1/trading/order HTTP/1.1) and an entry of a HAR file",
  );
}

type Found = ReturnType<(typeof kit)["curlExchanges"]>[number];

/** The one request that is signed, or the only one. */
function signedOne(found: readonly Found[]): PastedHttp {
  const signed = found.filter(({ headers }) =>
    headers.some(([name]) => name.toLowerCase() === "x-api-signature"),
  );
  const [only = found[0]] = signed;
  if (only === undefined || signed.length > 1 || (signed.length === 0 && found.length > 1))
    throw unreadable(`it has ${signed.length} signed requests: paste one of them`);
  if (only.problem !== undefined) throw unreadable(only.problem);
  const { text, base64, cut } = only.body;
  if (cut === true) throw unreadable("its body is not there: paste the request with its body");
  const { host, target } = splitUrl(only.target, only.headers);
  return {
    method: only.method,
    target,
    headers: only.headers.some(([name]) => name.toLowerCase() === "host")
      ? only.headers
      : [...only.headers, ["Host", host]],
    body: base64 === undefined ? Buffer.from(text ?? "", "utf8") : Buffer.from(base64, "base64"),
  };
}
