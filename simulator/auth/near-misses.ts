/**
 * Names the mistake behind a signature that did not verify: it signs the request with each known mistake and compares
 * the result with the received signature. First every mistake alone, then the common ones in pairs.
 *
 * It names the mistake and never the correct signature: neither the secret nor any digest leaves this file.
 * Comparisons take constant time, because the digest of a near miss can be the right one of another request. About a
 * hundred digests, a few hundred with pairs, and only in diagnostics mode.
 */
import { hash, timingSafeEqual } from "node:crypto";
import { appliesTo, mistakenSigner, type RequestToSign } from "./mistaken-signature.ts";
import { type Edit, knownMistakes, type Mistake } from "./mistakes.ts";

export interface RefusedRequest extends RequestToSign {
  readonly signature: string;
}

export interface NearMiss {
  readonly mistakes: readonly string[];
  readonly hint: string;
}

const mostNamed = 3;
/**
 * Much more than an order has. A longer body is not tried in pairs; JSON that is longer or nested deeper is not
 * serialised again.
 */
const mostBytes = 4096;
const mostBrackets = 256;

/**
 * Null if no known mistake explains the signature: then the secret or the body most likely differs.
 */
export function findNearMiss(request: RefusedRequest): NearMiss | null {
  const signWith = mistakenSigner(request);
  const received = digestOf(request.signature);
  const explains = (...mistakes: readonly Mistake[]): boolean => {
    const signature = signWith(...mistakes.map(({ edit }) => edit));
    return signature !== null && timingSafeEqual(digestOf(signature), received);
  };
  const isShort = request.body.length <= mostBytes && bracketsIn(request.body) <= mostBrackets;
  const possible = knownMistakes().mistakes.filter(
    ({ edit, when, sent }) => sent !== true && appliesTo(when, request) && (isShort || !rewritesJson(edit)),
  );
  const alone = possible.filter((mistake) => explains(mistake));
  if (alone.length > 0) return describe(alone, " or if ");
  if (request.body.length > mostBytes) return null;
  const common = possible.filter((mistake) => mistake.common === true && signWith(mistake.edit) !== null);
  for (const [index, first] of common.entries()) {
    const second = common.slice(index + 1).find((other) => explains(first, other));
    if (second !== undefined) return describe([first, second], " and ");
  }
  return null;
}

const rewritesJson = ({ body }: Edit): boolean => typeof body === "object" && "json" in body;

function bracketsIn(body: Uint8Array): number {
  return body.reduce((count, byte) => (byte === 0x5b || byte === 0x7b ? count + 1 : count), 0);
}

/** Digests are compared instead of texts, so length and content take the same time. */
const digestOf = (text: string): Buffer => hash("sha256", text, "buffer");

function describe(found: readonly Mistake[], conjunction: string): NearMiss {
  const named = found.slice(0, mostNamed);
  const remedies = [...new Set(named.map((mistake) => mistake.remedy))].join(" ");
  return {
    mistakes: named.map((mistake) => mistake.id),
    hint: `The signature matches if ${named.map((mistake) => mistake.title).join(conjunction)}. ${remedies}`,
  };
}
