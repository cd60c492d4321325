/**
 * Names the mistake behind a signature that did not verify, by signing the request in the ways in which
 * clients get it wrong and looking which one gives what arrived. First every mistake alone, then the common
 * ones in pairs.
 *
 * It tells what was done wrong, never what the right signature is: neither the secret nor any digest leaves
 * this file. Comparisons take constant time, because the digest of a near miss can be the right one of
 * another request. Roughly a hundred digests, a few hundred with pairs, and only in diagnostics mode.
 */
import { hash } from "node:crypto";
import { bodyHashOf, pathOf, signedContentType } from "./canonical-request.ts";
import type { Mistake, Recipe, RefusedRequest } from "./near-miss-rows.ts";
import { mistakesInBody } from "./near-misses-in-body.ts";
import { mistakesInLines } from "./near-misses-in-lines.ts";
import { mistakesInSigning } from "./near-misses-in-signing.ts";
import { signatureOf } from "./verify-signature.ts";

export interface NearMiss {
  readonly mistakes: readonly string[];
  readonly hint: string;
}

const mistakes: readonly Mistake[] = [...mistakesInLines, ...mistakesInBody, ...mistakesInSigning];
const common: readonly Mistake[] = mistakes.filter((mistake) => mistake.common);
const mostNamed = 3;
const mostBodyInPairs = 4096;

/**
 * Null when no known mistake explains the signature: then the secret or the body is most likely another one.
 */
export function findNearMiss(request: RefusedRequest): NearMiss | null {
  const right = rightRecipe(request);
  const alone = mistakes.filter((mistake) => explains(mistake.make(right, request), request));
  if (alone.length > 0) return describe(alone, " or if ");
  if (request.body.length > mostBodyInPairs) return null;
  for (const [index, first] of common.entries()) {
    const half = first.make(right, request);
    if (half === null) continue;
    const second = common.slice(index + 1).find((other) => explains(other.make(half, request), request));
    if (second !== undefined) return describe([first, second], " and ");
  }
  return null;
}

function rightRecipe(request: RefusedRequest): Recipe {
  const path = request.signedPath === "path-and-query" ? request.target : pathOf(request.target);
  return {
    lines: [
      request.timestamp,
      request.nonce,
      request.method,
      path,
      signedContentType,
      bodyHashOf(request.body),
    ],
    join: (lines) => lines.join("\n"),
    secret: Buffer.from(request.secret, "utf8"),
    digest: (secret, text) => Buffer.from(signatureOf(secret, text), "hex"),
    write: (digest) => Buffer.from(digest).toString("hex"),
  };
}

function explains(recipe: Recipe | null, request: RefusedRequest): boolean {
  if (recipe === null) return false;
  return sameText(recipe.write(recipe.digest(recipe.secret, recipe.join(recipe.lines))), request.signature);
}

/** Digests of the two texts are compared, so length and content take the same time. */
function sameText(left: string, right: string): boolean {
  const a = hash("sha256", left, "buffer");
  const b = hash("sha256", right, "buffer");
  let difference = 0;
  for (let index = 0; index < a.length; index += 1) difference |= (a[index] ?? 0) ^ (b[index] ?? 0);
  return difference === 0;
}

function describe(found: readonly Mistake[], conjunction: string): NearMiss {
  const named = found.slice(0, mostNamed);
  const remedies = [...new Set(named.map((mistake) => mistake.remedy))].join(" ");
  return {
    mistakes: named.map((mistake) => mistake.name),
    hint: `The signature matches if ${named.map((mistake) => mistake.says).join(conjunction)}. ${remedies}`,
  };
}
