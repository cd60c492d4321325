/**
 * Signs a request with mistakes: carries out the edits of fixtures/signing/mistakes.yaml. Nothing here takes part when a
 * signature is verified.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from "node:crypto";
import { bodyHashOf, pathOf, signedContentType } from "./canonical-request.ts";
import { type Change, type Changed, type Edit, type LineName, lineNames, type Word } from "./mistakes.ts";
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
  /** Secrets of other keys that its sender may have taken, by the names of the keys. */
  readonly otherSecrets?: ReadonlyMap<string, string>;
}

export interface Signed {
  /** The text that was signed. It never holds the secret. */
  readonly text: string | Uint8Array;
  readonly signature: string;
}

/** Null where one of the edits cannot be made on the request. */
export type SignWith = (...edits: readonly Edit[]) => Signed | null;

/** Thrown and caught in this file alone. */
const impossible = new Error("the mistake cannot be made on this request");

/** A value as it is signed: text, or bytes that are none. */
type Value = string | Uint8Array;

/** Thousands of signatures of one request differ in a line or two, so what they share is made once. */
interface Shared {
  readonly request: RequestToSign;
  readonly key: KeyObject;
  readonly right: Readonly<Record<LineName, string>>;
  readonly changed: Made;
  readonly bodyHashes: Made;
}

/** The results of changing values, by the way in which they were changed. */
class Made {
  readonly #made = new Map<unknown, Map<Value, Value>>();

  of(value: Value, way: unknown, make: () => Value): Value {
    const inThisWay = this.#made.get(way) ?? new Map<Value, Value>();
    this.#made.set(way, inThisWay);
    const made = inThisWay.get(value) ?? make();
    inThisWay.set(value, made);
    return made;
  }
}

export function mistakenSigner(request: RequestToSign): SignWith {
  const shared: Shared = {
    request,
    key: createSecretKey(request.secret, "utf8"),
    right: {
      timestamp: request.timestamp,
      nonce: request.nonce,
      method: request.method,
      path: rightPath(request),
      contentType: signedContentType,
      bodyHash: bodyHashOf(request.body),
    },
    changed: new Made(),
    bodyHashes: new Made(),
  };
  return (...edits) => {
    try {
      return sign(shared, edits);
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

function sign(shared: Shared, edits: readonly Edit[]): Signed {
  const { request, right } = shared;
  const lines = (last(edits, "order") ?? lineNames).map((name) => {
    if (name === "keyId") return request.keyId;
    if (name === "body") return textOf(request.body);
    return textOf(changed(shared, edits, name, name === "bodyHash" ? bodyHash(shared, edits) : right[name]));
  });
  const joined = lines.join(last(edits, "joiner") ?? "\n");
  const text = edits.reduce<Value>((value, edit) => carriedOut(edit.text, value, request), joined);
  const key = changed(shared, edits, "key", request.secret);
  const hex = digestOf(last(edits, "digest") ?? "sha256", { key, shared }, text);
  const signature = edits.reduce<Value>((value, edit) => carriedOut(edit.signature, value, request), hex);
  return { text, signature: textOf(signature) };
}

const last = <Name extends keyof Edit>(edits: readonly Edit[], name: Name): Edit[Name] | undefined =>
  edits.findLast((edit) => edit[name] !== undefined)?.[name];

/** For what does not depend on all of the text. */
function changed(shared: Shared, edits: readonly Edit[], name: Changed, right: Value): Value {
  let value = right;
  for (const { [name]: change } of edits) {
    const before = value;
    if (change !== undefined)
      value = shared.changed.of(before, change, () => carriedOut(change, before, shared.request));
  }
  return value;
}

function bodyHash(shared: Shared, edits: readonly Edit[]): string {
  const digest = last(edits, "bodyDigest") ?? "sha256";
  const body = changed(shared, edits, "body", shared.request.body);
  if (digest === "sha256" && body === shared.request.body) return shared.right.bodyHash;
  return textOf(shared.bodyHashes.of(body, digest, () => hash(digest, body, "hex")));
}

/** In hex. */
function digestOf(
  name: string,
  { key, shared }: { readonly key: Value; readonly shared: Shared },
  text: Value,
): string {
  if (name === "plain") return hash("sha256", text, "hex");
  if (name === "plainKeyFirst") return hash("sha256", joinedBytes(key, text), "hex");
  if (name === "plainKeyLast") return hash("sha256", joinedBytes(text, key), "hex");
  if (name === "swapped") return createHmac("sha256", text).update(key).digest("hex");
  // A key object is ready to use, where a secret would be made ready for each signature.
  const hmac = createHmac(name, key === shared.request.secret ? shared.key : key);
  return hmac.update(text).digest("hex");
}

const joinedBytes = (...parts: readonly Value[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

const carriedOut = (change: Change | undefined, value: Value, request: RequestToSign): Value =>
  change === undefined
    ? value
    : [change]
        .flat()
        .reduce<Value>((before, word) => carriedOutOne(word, Buffer.from(before), request), value);

/** A word that changes nothing is no mistake. */
function carriedOutOne(word: Word, bytes: Buffer, request: RequestToSign): Value {
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
  parent: onText((text) => text.replace(/\/[^/]+$/, "")),
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
  sha256: (bytes) => hash("sha256", bytes, "buffer"),
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
