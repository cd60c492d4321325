/**
 * Signs a request with mistakes: carries out the edits of fixtures/signing/mistakes.yaml. Nothing here takes part when a
 * signature is verified.
 */
import { createHash, createHmac } from "node:crypto";
import { bodyHashOf, pathOf, signedContentType } from "./canonical-request.ts";
import { type Changed, type Edit, type LineName, lineNames, type Word } from "./mistakes.ts";
import { rewrittenJson } from "./rewritten-json.ts";

/** A request as it arrived, and the secret that it should have been signed with. */
export interface RequestToSign {
  readonly keyId: string;
  readonly secret: string;
  readonly method: string;
  /** As received, with its query. */
  readonly target: string;
  readonly host: string | undefined;
  readonly timestamp: string;
  readonly nonce: string;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly signedPath: "path" | "path-and-query" | "either";
}

export interface Signed {
  /** What was signed. It never holds the secret. */
  readonly text: string | Uint8Array;
  readonly signature: string;
}

/** Null where one of the edits cannot be made on the request. */
export type SignWith = (...edits: readonly Edit[]) => Signed | null;

/** Thrown and caught in this file alone. */
const impossible = new Error("the mistake cannot be made on this request");

/** The body is hashed once for all signatures that leave it as it is. */
export function mistakenSigner(request: RequestToSign): SignWith {
  const bodyHash = bodyHashOf(request.body);
  return (...edits) => {
    try {
      return sign(request, bodyHash, edits);
    } catch (error) {
      if (error === impossible) return null;
      throw error;
    }
  };
}

/** `when` of a mistake or of a defect. */
export function appliesTo(when: string | undefined, request: RequestToSign): boolean {
  if (when === "body") return request.body.length > 0;
  if (when === "noBody") return request.body.length === 0;
  if (when === "query") return rightPath(request) !== request.target;
  return when === undefined || when === request.method;
}

const rightPath = ({ signedPath, target }: RequestToSign): string =>
  signedPath === "path-and-query" ? target : pathOf(target);

function sign(request: RequestToSign, rightHash: string, edits: readonly Edit[]): Signed {
  const changed = (name: Changed, right: string | Uint8Array): string | Uint8Array => {
    const change = edits.flatMap((edit) => edit[name] ?? []);
    return change.reduce((value, word) => carriedOut(word, Buffer.from(value), request), right);
  };
  const last = <Name extends keyof Edit>(name: Name): Edit[Name] | undefined =>
    edits.findLast((edit) => edit[name] !== undefined)?.[name];

  const rehash = last("body") !== undefined || last("bodyDigest") !== undefined;
  const bodyHash = rehash
    ? createHash(last("bodyDigest") ?? "sha256")
        .update(changed("body", request.body))
        .digest("hex")
    : rightHash;
  const right: Readonly<Record<LineName, string>> = {
    timestamp: request.timestamp,
    nonce: request.nonce,
    method: request.method,
    path: rightPath(request),
    contentType: signedContentType,
    bodyHash,
  };
  const lines = (last("order") ?? lineNames).map((name) => {
    if (name === "keyId") return request.keyId;
    return name === "body" ? textOf(request.body) : textOf(changed(name, right[name]));
  });
  const text = changed("text", lines.join(last("joiner") ?? "\n"));
  const digest = digestOf(last("digest") ?? "sha256", changed("key", request.secret), text);
  return { text, signature: textOf(changed("signature", digest.toString("hex"))) };
}

function digestOf(name: string, key: string | Uint8Array, text: string | Uint8Array): Buffer {
  if (name === "plain") return createHash("sha256").update(text).digest();
  if (name === "plainKeyFirst") return createHash("sha256").update(key).update(text).digest();
  if (name === "plainKeyLast") return createHash("sha256").update(text).update(key).digest();
  if (name === "swapped") return createHmac("sha256", text).update(key).digest();
  return createHmac(name, key).update(text).digest();
}

/** A word that changes nothing is no mistake. */
function carriedOut(word: Word, bytes: Buffer, request: RequestToSign): string | Uint8Array {
  const [name = "", argument] = typeof word === "string" ? [word] : (Object.entries(word)[0] ?? []);
  const carryOut = words[name];
  if (carryOut === undefined) throw new Error(`fixtures/signing/mistakes.yaml has an unknown word ${name}`);
  const after = carryOut(bytes, argument, request);
  if (after === null || bytes.equals(Buffer.from(after))) throw impossible;
  return after;
}

type CarryOut = (bytes: Buffer, argument: unknown, request: RequestToSign) => string | Uint8Array | null;

const onText =
  (change: (text: string) => string | Uint8Array | null): CarryOut =>
  (bytes) =>
    change(bytes.toString());

const withText =
  (change: (bytes: Buffer, text: Buffer) => string | Uint8Array | null): CarryOut =>
  (bytes, argument, request) =>
    change(bytes, Buffer.from(filled(String(argument), request)));

const words: Readonly<Record<string, CarryOut>> = {
  set: withText((_bytes, text) => text),
  prepend: withText((bytes, text) => Buffer.concat([text, bytes])),
  append: withText((bytes, text) => Buffer.concat([bytes, text])),
  cutStart: withText((bytes, text) =>
    bytes.subarray(0, text.length).equals(text) ? bytes.subarray(text.length) : null,
  ),
  cutEnd: withText((bytes, text) =>
    bytes.subarray(-text.length).equals(text) ? bytes.subarray(0, -text.length) : null,
  ),
  first: (bytes, count) => bytes.subarray(0, Number(count)),
  replace: (bytes, pair) => {
    const [before, after] = pair as readonly [string, string]; // as: the words of the file are ours
    return bytes.toString().replaceAll(before, after);
  },
  lower: onText((text) => text.toLowerCase()),
  upper: onText((text) => text.toUpperCase()),
  capitalised: onText((text) => text.slice(0, 1) + text.slice(1).toLowerCase()),
  trimmed: onText((text) => text.trim()),
  composed: onText((text) => text.normalize("NFC")),
  withoutQuery: onText(pathOf),
  sortedQuery: onText(withSortedQuery),
  decoded: onText(decoded),
  seconds: onText((text) => text.slice(0, -3)),
  number: onText((text) => String(Number(text))),
  exponent: onText((text) => Number(text).toExponential().replace("+", "")),
  iso: onText((text) => {
    const time = new Date(Number(text));
    return Number.isNaN(time.getTime()) ? null : time.toISOString();
  }),
  json: (bytes, how) => rewrittenJson(bytes.toString(), String(how)),
  hex: (bytes) => bytes.toString("hex"),
  base64: (bytes) => bytes.toString("base64"),
  base64url: (bytes) => bytes.toString("base64url"),
  fromHex: onText((text) => (/^([0-9a-f]{2})+$/i.test(text) ? Buffer.from(text, "hex") : null)),
  fromBase64: onText((text) => Buffer.from(text, "base64")),
  utf16: onText((text) => Buffer.from(text, "utf16le")),
  latin1: onText((text) => Buffer.from(text, "latin1")),
  ascii: onText((text) => text.replace(/[^\u0000-\u007f]/g, "?")),
  zerosLost: onText((text) => text.replace(/0(?=[0-9a-f])([0-9a-f])|([0-9a-f]{2})/g, "$1$2")),
  sha256: (bytes) => createHash("sha256").update(bytes).digest(),
};

function withSortedQuery(target: string): string {
  const [path = "", query = ""] = target.split(/\?(.*)/s);
  return query === "" ? target : `${path}?${query.split("&").sort().join("&")}`;
}

/** Null where it is no percent-encoding of text. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** TEXT with the named values of the request. */
function filled(text: string, request: RequestToSign): string {
  const values: Readonly<Record<string, () => string | undefined>> = {
    target: () => request.target,
    host: () => request.host,
    prefix: () => /^\/api\/v[0-9]+\/[^/]+(?=\/)/.exec(request.target)?.[0],
    keyId: () => request.keyId,
    contentType: () => request.contentType,
    body: () => textOf(request.body),
    secret: () => request.secret,
  };
  return text.replaceAll(/<(\w+)>/g, (_all, name: string) => {
    const value = values[name]?.();
    if (value === undefined) throw impossible;
    return value;
  });
}

function textOf(value: string | Uint8Array): string {
  return typeof value === "string" ? value : Buffer.from(value).toString("utf8");
}
