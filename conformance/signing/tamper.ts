import {
  bodyHash,
  type CanonicalForm,
  type CanonicalPart,
  type CanonicalParts,
  canonicalOrder,
  canonicalRequest,
  specifiedForm,
} from "./canonical-request.ts";
import {
  type Algorithm,
  canonicalParts,
  digest,
  headersFor,
  type SignedRequest,
  type SigningInput,
} from "./sign-request.ts";

/** The options of a scenario under `sign:`. All defaults follow the specification. */
export interface SignPlan {
  /** Values that replace the correct ones before signing. */
  readonly override: Partial<Record<"keyId" | "secret" | "timestamp" | "nonce" | CanonicalPart, string>>;
  readonly form: CanonicalForm;
  readonly algorithm: Algorithm;
  /** How the text of the secret is decoded to the key; its UTF-8 bytes by default (AS-01). */
  readonly keyBytes?: "hex" | "base64";
  readonly transform: readonly string[];
  readonly headers: HeaderEdits;
}

export interface BodyMutation {
  readonly insertAt?: number;
  readonly text?: string;
  readonly flipBit?: number;
  readonly replace?: readonly [string, string];
  readonly set?: string;
}

/** Changes between signing and sending: the request on the wire differs from the signed one. */
export interface Mutation {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly contentType?: string;
  readonly timestamp?: string;
  readonly nonce?: string;
  readonly keyId?: string;
  readonly body?: BodyMutation;
}

export interface HeaderEdits {
  readonly omit: readonly string[];
  readonly set: Readonly<Record<string, string>>;
  readonly duplicate: readonly string[];
  readonly rename: Readonly<Record<string, string>>;
  /** Names in the order of sending; headers that are not named follow. */
  readonly order: readonly string[];
}

export const noHeaderEdits: HeaderEdits = { omit: [], set: {}, duplicate: [], rename: {}, order: [] };

export const plainPlan: SignPlan = {
  override: {},
  form: specifiedForm,
  algorithm: "sha256",
  transform: [],
  headers: noHeaderEdits,
};

/** Signs as planned. With the default plan the result equals that of `signRequest`; a test compares the two. */
export function signAsPlanned(input: SigningInput, plan: SignPlan): SignedRequest {
  const identity = { ...input, ...pick(plan.override, ["keyId", "secret", "timestamp", "nonce"]) };
  identity.keyId = keyIdFrom(input.keyId, plan.override.keyId);
  identity.nonce = textFrom(input.nonce, plan.override.nonce);
  identity.timestamp = timestampFrom(input.timestamp, plan.override.timestamp);
  const parts = overriddenParts(canonicalParts(identity), plan.override);
  const canonical = canonicalRequest(parts, plan.form);
  const signature = transformed(
    digest(keyOf(identity.secret, plan), canonical, plan.algorithm),
    plan.transform,
  );
  const headers = editHeaders(headersFor(identity, signature), plan.headers);
  return { bodyHash: parts.bodyHash, canonical, signature, headers };
}

function keyOf(secret: string, { keyBytes }: SignPlan): string | Uint8Array {
  return keyBytes === undefined ? secret : Buffer.from(secret, keyBytes);
}

function pick<K extends string>(
  from: Partial<Record<string, string>>,
  keys: readonly K[],
): Partial<Record<K, string>> {
  const found: Partial<Record<K, string>> = {};
  for (const key of keys) {
    const value = from[key];
    if (value !== undefined) found[key] = value;
  }
  return found;
}

/** `otherCase` changes the case of every letter. A key id without letters becomes one that does not exist. */
function keyIdFrom(right: string, wanted: string | undefined): string {
  if (wanted !== "otherCase") return wanted ?? right;
  const turned = right.replace(/[a-z]/gi, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return turned === right ? `${right}x` : turned;
}

/**
 * `upper`, `lower`, `prepend(text)` and `append(text)` change the correct value; `upper(text)` and `lower(text)` change
 * the given text; any other text is the value itself.
 */
export function textFrom(right: string, wanted: string | undefined): string {
  if (wanted === undefined) return right;
  if (wanted === "upper") return right.toUpperCase();
  if (wanted === "lower") return right.toLowerCase();
  const [, where, text = ""] = /^(prepend|append|upper|lower)\(([\s\S]*)\)$/.exec(wanted) ?? [];
  if (where === "upper") return text.toUpperCase();
  if (where === "lower") return text.toLowerCase();
  if (where === undefined) return wanted;
  return where === "prepend" ? text + right : right + text;
}

/** `seconds`, `iso`, `+1ms` and `-1h` change the correct timestamp, as do the words of `textFrom`. */
export function timestampFrom(right: string, wanted: string | undefined): string {
  if (wanted === undefined) return right;
  if (wanted === "seconds") return String(Math.floor(Number(right) / 1000));
  if (wanted === "iso") return new Date(Number(right)).toISOString();
  const shift = /^([+-])(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(wanted);
  if (shift === null) return textFrom(right, wanted);
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[shift[3] ?? "ms"] ?? 1;
  const sign = shift[1] === "-" ? -1 : 1;
  return String(Math.round(Number(right) + sign * Number(shift[2]) * unit));
}

/** `upper`, `lower` and `sha256(text)` describe a wrong value; any other text is the value itself. */
function overriddenParts(parts: CanonicalParts, override: SignPlan["override"]): CanonicalParts {
  const changed: Record<CanonicalPart, string> = { ...parts };
  for (const part of canonicalOrder) {
    const wanted = override[part];
    if (wanted === undefined || part === "timestamp" || part === "nonce") continue;
    changed[part] = namedChange(parts[part], wanted);
  }
  return changed;
}

function namedChange(right: string, wanted: string): string {
  if (wanted === "upper") return right.toUpperCase();
  if (wanted === "lower") return right.toLowerCase();
  const hashed = /^sha256\(([\s\S]*)\)$/.exec(wanted);
  return hashed === null ? wanted : bodyHash(Buffer.from(hashed[1] ?? "", "utf8"));
}

export const transforms = [
  "upperHex",
  "base64",
  "flipBit",
  "rotate",
  "truncate",
  "prepend",
  "append",
  "empty",
] as const;

/** Applies the named transforms to a hex digest, left to right. */
export function transformed(signature: string, names: readonly string[]): string {
  return names.reduce(applyTransform, signature);
}

function applyTransform(signature: string, transform: string): string {
  const [, name, argument = ""] = /^(\w+)(?:\(([\s\S]*)\))?$/.exec(transform) ?? [];
  switch (name) {
    case "upperHex":
      return signature.toUpperCase();
    case "base64":
      return Buffer.from(signature, "hex").toString("base64");
    case "flipBit":
      return flipBit(Buffer.from(signature, "hex"), Number(argument)).toString("hex");
    case "rotate":
      return signature.slice(Number(argument)) + signature.slice(0, Number(argument));
    case "truncate":
      return signature.slice(0, Number(argument));
    case "prepend":
      return argument + signature;
    case "append":
      return signature + argument;
    case "empty":
      return "";
    default:
      throw new Error(`unknown signature transform ${transform}: use ${transforms.join(", ")}`);
  }
}

/** Bit 0 is the highest bit of the first byte, as in the hex digest read from left to right. */
export function flipBit(bytes: Buffer, bit: number): Buffer {
  const flipped = Buffer.from(bytes);
  const index = Math.floor(bit / 8);
  const byte = flipped[index];
  if (byte === undefined) throw new Error(`there is no bit ${bit} in ${bytes.length} bytes`);
  flipped[index] = byte ^ (0x80 >> (bit % 8));
  return flipped;
}

/** The order is stable: headers of one name keep their order. */
export function inOrder(
  headers: readonly (readonly [string, string])[],
  names: readonly string[],
): readonly (readonly [string, string])[] {
  const wanted = names.map((name) => name.toLowerCase());
  const place = ([name]: readonly [string, string]): number => {
    const at = wanted.indexOf(name.toLowerCase());
    return at < 0 ? wanted.length : at;
  };
  return headers.toSorted((a, b) => place(a) - place(b));
}

/** Header edits match names case-insensitively. The order is kept, because it decides between duplicates. */
export function editHeaders(
  headers: readonly (readonly [string, string])[],
  edits: HeaderEdits,
): readonly (readonly [string, string])[] {
  const is = (a: string) => (b: string) => a.toLowerCase() === b.toLowerCase();
  const edited: (readonly [string, string])[] = [];
  for (const [name, value] of headers) {
    if (edits.omit.some(is(name))) continue;
    const renamed = Object.entries(edits.rename).find(([from]) => is(from)(name))?.[1] ?? name;
    const set = Object.entries(edits.set).find(([key]) => is(key)(name))?.[1];
    edited.push([renamed, set ?? value]);
    if (edits.duplicate.some(is(name))) edited.push([renamed, set ?? value]);
  }
  const known = new Set(headers.map(([name]) => name.toLowerCase()));
  for (const [name, value] of Object.entries(edits.set)) {
    if (!known.has(name.toLowerCase())) edited.push([name, value]);
  }
  return edited;
}
