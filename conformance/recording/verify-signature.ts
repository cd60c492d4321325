import { signRequest } from "../signing/sign-request.ts";
import { hiddenValue } from "./hidden.ts";
import { digestOf } from "./key-names.ts";
import type { Recording } from "./read-recording.ts";
import { type RecordedExchange, type RecordedHeader, type SignatureSeen, valueOf } from "./recording.ts";

/** A request as it was sent, with its own signature or the digest that stands for it in a recording. */
export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly RecordedHeader[];
  /** Undefined where not all of it was kept. */
  readonly body: Buffer | undefined;
}

/**
 * Whether the signature of a request is that of this secret. Undefined where a part of it is not known. Whether the query is signed
 * is left to each gateway, so both are right, as are both letter cases of the digits.
 */
export function signatureSeen(request: SentRequest, secret: string): SignatureSeen | undefined {
  const { method, target, headers, body } = request;
  const [timestamp, nonce, sent] = ["x-api-timestamp", "x-api-nonce", "x-api-signature"].map(
    (name) => valueOf(headers, name) ?? "",
  );
  if (!timestamp || !nonce || !sent || body === undefined) return undefined;
  if ([timestamp, nonce, sent].includes(hiddenValue)) return undefined;
  const types = new Set(["application/json", valueOf(headers, "content-type") ?? "application/json"]);
  const accepted = [...types].flatMap((contentType) =>
    [target.split("?")[0] ?? "", target].map(
      (path) =>
        signRequest({ keyId: "", secret, timestamp, nonce, method, path, contentType, body }).signature,
    ),
  );
  const spellings = accepted.flatMap((hex) => [hex, hex.toUpperCase()]);
  return spellings.some((one) => one === sent || digestOf(one) === sent) ? "right" : "wrong";
}

/**
 * The recording with what this secret says of its signatures. The key of the secret is the one that signed with it at least once,
 * or the only one; of others nothing is known.
 */
export function verified(recording: Recording, secret: string): Recording {
  const seen = new Map(recording.exchanges.map((one) => [one, signatureSeen(sentIn(one), secret)]));
  const keys = new Set(recording.exchanges.map(({ key }) => key));
  const own = new Set([...seen].flatMap(([{ key }, signature]) => (signature === "right" ? [key] : [])));
  if (own.size === 0 && keys.size === 1) own.add([...keys][0]);
  const exchanges = recording.exchanges.map((one) => {
    const signature = own.has(one.key) ? seen.get(one) : undefined;
    return signature === undefined ? one : { ...one, signature };
  });
  const fits = [...seen.values()].includes("right");
  const remark = "the secret is that of none of the signatures: is it that of this key?";
  return { ...recording, exchanges, remarks: fits ? recording.remarks : [...recording.remarks, remark] };
}

function sentIn({ request }: RecordedExchange): SentRequest {
  const { text, base64, cut } = request.body;
  const body = base64 === undefined ? Buffer.from(text ?? "", "utf8") : Buffer.from(base64, "base64");
  return { ...request, body: cut === true ? undefined : body };
}
