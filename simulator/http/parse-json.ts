/**
 * JSON of a client, from the raw bytes: bodies of requests and messages of the stream. Stricter than `JSON.parse` where leniency would let two readers of
 * one body see two requests: UTF-8 without a byte order mark, no key twice, no key that reaches a prototype,
 * and bounds on depth, members and strings. Text that is not JSON is MALFORMED_JSON; JSON beyond the
 * bounds is JSON_NOT_ACCEPTED. The bounds are looked at first: a text beyond them is not parsed.
 *
 * Duplicate keys cost one pass over the text: each member has one colon outside of strings, and what
 * `JSON.parse` made has one property per distinct key, so the two counts differ exactly when a key came
 * twice. Where and which is then found by the slow walk of `json-walk.ts`, which also words every syntax
 * error, so that the sentence is the same on every version of Node.
 */
import { isUtf8 } from "node:buffer";
import { err, ok, type Result } from "../domain/result.ts";
import type { Refusal } from "./errors.ts";
import { describePlace, walkJson } from "./json-walk.ts";
import { printable } from "./printable.ts";

export interface JsonLimits {
  readonly depth: number;
  readonly members: number;
  readonly stringLength: number;
}

/** Bounds of a body of a trading route and of a message of the stream. */
export const jsonLimits: JsonLimits = { depth: 16, members: 64, stringLength: 4096 };

/** `name` is what the refusals call the bytes: the body of a request, a message of the stream, or the line of a file. */
export function parseJson(
  body: Uint8Array,
  limits: JsonLimits = jsonLimits,
  name: "body" | "message" | "line" = "body",
): Result<unknown, Refusal> {
  if (body.length === 0) {
    const advice = name === "body" ? "send JSON, and sign the bytes that you send" : "send JSON";
    return refuse(`The ${name} is empty; ${advice}.`);
  }
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) {
    return refuse(`The ${name} starts with a byte order mark. Send the JSON without it.`);
  }
  if (!isUtf8(body)) return refuse(`The ${name} is not UTF-8. Encode the JSON in UTF-8.`);
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("utf8");
  const shape = shapeOf(text, limits);
  if (typeof shape !== "number")
    return notAccepted(shape.bound, `${shape.problem} ${describePlace(text, shape.offset)}`, shape.maximum);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse(`The ${name} is not JSON: ${walkJson(text, "syntax") ?? "it ends in the middle"}.`);
  }
  const members = countMembers(value);
  if (members === forbidden)
    return notAccepted("key", "has a key that would change a prototype; leave it out");
  if (members !== shape)
    return refuse(`The JSON is ambiguous: ${walkJson(text, "duplicates") ?? "a key comes twice"}.`);
  return ok(value);
}

const refuse = (message: string): { readonly ok: false; readonly error: Refusal } =>
  err({ code: "MALFORMED_JSON", message: printable(message, 400) });

/** Well-formed, and refused all the same: `bound` is the limit that was passed, or `key` for a forbidden key. */
const notAccepted = (
  bound: keyof JsonLimits | "key",
  issue: string,
  maximum?: number,
): { readonly ok: false; readonly error: Refusal } =>
  err({
    code: "JSON_NOT_ACCEPTED",
    message: `The JSON ${issue}.`,
    details: [{ issue, bound, ...(maximum === undefined ? {} : { maximum }) }],
  });

interface OutOfBounds {
  readonly bound: keyof JsonLimits;
  readonly maximum: number;
  readonly problem: string;
  readonly offset: number;
}

const quote = 0x22;
const backslash = 0x5c;
const colon = 0x3a;

/**
 * The number of members in the text, or the place where a bound is passed. Makes sense for valid JSON only.
 */
function shapeOf(text: string, limits: JsonLimits): number | OutOfBounds {
  const passed = (bound: keyof JsonLimits, word: (most: number) => string, offset: number): OutOfBounds => ({
    bound,
    maximum: limits[bound],
    problem: word(limits[bound]),
    offset,
  });
  let depth = 0;
  let members = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      const end = endOfString(text, index);
      if (end - index - 1 > limits.stringLength) {
        return passed("stringLength", (most) => `has a string of more than ${most} characters`, index);
      }
      index = end;
    } else if (code === colon) {
      members += 1;
      if (members > limits.members)
        return passed("members", (most) => `has more than ${most} members`, index);
    } else if (code === 0x7b || code === 0x5b) {
      depth += 1;
      if (depth > limits.depth)
        return passed("depth", (most) => `is nested deeper than ${most} levels`, index);
    } else if (code === 0x7d || code === 0x5d) {
      depth -= 1;
    }
  }
  return members;
}

/** Index of the closing quote, or of the end of the text. */
function endOfString(text: string, start: number): number {
  let index = start + 1;
  for (; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) return index;
    if (code === backslash) index += 1;
  }
  return index;
}

const forbidden = -1;

/** Properties of all objects in the value, or forbidden. Depth is bounded before this runs. */
function countMembers(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const element of value) {
      const inner = countMembers(element);
      if (inner === forbidden) return forbidden;
      count += inner;
    }
    return count;
  }
  for (const key in value) {
    // as: what JSON.parse makes has no inherited properties that could be enumerated.
    const member = (value as Readonly<Record<string, unknown>>)[key];
    const inner = isForbidden(key, member) ? forbidden : countMembers(member);
    if (inner === forbidden) return forbidden;
    count += 1 + inner;
  }
  return count;
}

const isForbidden = (key: string, member: unknown): boolean =>
  key === "__proto__" ||
  (key === "constructor" &&
    typeof member === "object" &&
    member !== null &&
    Object.hasOwn(member, "prototype"));
