/**
 * The checks of a request whose signature has verified, in order: the first that refuses is the answer. The precedence of all
 * refusals, with the files that decide them, is in docs/architecture.md#a-signed-post-order.
 */
import { mayCall } from "../auth/claims.ts";
import type { Caller } from "../auth/keyring.ts";
import type { ErrorCode, Refusal } from "./errors.ts";
import type { SignedRoute } from "./gateway.ts";
import type { Allowance } from "./limits.ts";
import { checkMediaType } from "./media-type.ts";
import { parseJson } from "./parse-json.ts";
import { checkSearch } from "./search.ts";

export interface VerifiedRequest {
  readonly signed: SignedRoute;
  readonly caller: Caller;
  /** Absent while no rate is limited. */
  readonly allowance: Allowance | undefined;
  readonly contentType: string | undefined;
  /** Whether a request without a body needs a media type, too. */
  readonly needsType: boolean;
  readonly bytes: Buffer;
  /** The query string without its question mark, as sent. */
  readonly search: string;
}

export interface CallCheck {
  /** What is so when it passes. */
  readonly check: string;
  readonly codes: readonly ErrorCode[];
  readonly refusal: (request: VerifiedRequest) => Refusal | null;
}

export const callChecks: readonly CallCheck[] = [
  {
    check: "the key sends not too often",
    codes: ["RATE_LIMITED"],
    refusal: ({ allowance }) => allowance?.refusal ?? null,
  },
  { check: "the key has the claim", codes: ["MISSING_CLAIM"], refusal: missingClaim },
  {
    check: "the media type is application/json",
    codes: ["UNSUPPORTED_MEDIA_TYPE"],
    refusal: ({ bytes, needsType, contentType }) =>
      needsType || bytes.length > 0 ? checkMediaType(contentType) : null,
  },
  { check: "there is a body only where one is read", codes: ["UNEXPECTED_BODY"], refusal: strayBody },
  { check: "the query can be read", codes: ["INVALID_QUERY"], refusal: ({ search }) => checkSearch(search) },
];

export function refusedBy(request: VerifiedRequest): Refusal | null {
  for (const { refusal } of callChecks) {
    const refused = refusal(request);
    if (refused !== null) return refused;
  }
  return null;
}

/** Any one of the claims is enough. */
function missingClaim({ signed: { name, claims }, caller }: VerifiedRequest): Refusal | null {
  if (mayCall(caller.claims, claims)) return null;
  return {
    code: "MISSING_CLAIM",
    message:
      `${name} asks for the claim ${claims.join(" or ")}, which this key does not have. ` +
      "Use a key that has it.",
    details: [{ required: claims, held: caller.claims }],
  };
}

/** For clients that always send a body, an empty object passes as none. */
function strayBody({ signed: { route }, bytes }: VerifiedRequest): Refusal | null {
  if (route.body !== undefined || bytes.length === 0) return null;
  const json = parseJson(bytes);
  const isEmpty =
    json.ok && typeof json.value === "object" && json.value !== null && JSON.stringify(json.value) === "{}";
  return isEmpty ? null : strayBodyRefusal;
}

const strayBodyRefusal: Refusal = {
  code: "UNEXPECTED_BODY",
  message:
    "This request has no body. Leave it out and sign the hash of nothing, or sign and send an empty object {}.",
};
