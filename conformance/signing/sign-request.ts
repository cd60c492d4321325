import { createHash, createHmac } from "node:crypto";
import { bodyHash, type CanonicalParts, canonicalRequest } from "./canonical-request.ts";

/**
 * Signs one request (AUTH-01 to AUTH-25). It returns the four headers and, for traces and for people, every
 * intermediate value.
 *
 * Invariants: the secret is used as its UTF-8 bytes (AS-01) and leaves this file only as a digest; no code here reads a
 * clock or draws a nonce; a call without options makes the specification's signature, and a wrong signature must be
 * requested explicitly through `form`, `algorithm` or tamper.ts.
 */
export interface SigningInput {
  readonly keyId: string;
  readonly secret: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  /** The signed path: the full path, without the query unless the profile says otherwise (AS-03). */
  readonly path: string;
  readonly contentType: string;
  readonly body: Uint8Array;
}

export const algorithms = ["sha256", "sha1", "sha512", "plain-sha256"] as const;
export type Algorithm = (typeof algorithms)[number];

export interface SignedRequest {
  readonly bodyHash: string;
  readonly canonical: string;
  readonly signature: string;
  readonly headers: readonly (readonly [string, string])[];
}

export const signatureHeaders = {
  keyId: "X-API-KEY",
  timestamp: "X-API-TIMESTAMP",
  nonce: "X-API-NONCE",
  signature: "X-API-SIGNATURE",
} as const;

export function signRequest(input: SigningInput): SignedRequest {
  const parts = canonicalParts(input);
  const canonical = canonicalRequest(parts);
  const signature = digest(input.secret, canonical);
  return { bodyHash: parts.bodyHash, canonical, signature, headers: headersFor(input, signature) };
}

/** METHOD is upper case in the canonical string, whatever its case in the call (AUTH-15). */
export function canonicalParts(input: SigningInput): CanonicalParts {
  return {
    timestamp: input.timestamp,
    nonce: input.nonce,
    method: input.method.toUpperCase(),
    path: input.path,
    contentType: input.contentType,
    bodyHash: bodyHash(input.body),
  };
}

export function digest(
  secret: string | Uint8Array,
  canonical: string,
  algorithm: Algorithm = "sha256",
): string {
  const key = Buffer.from(secret);
  if (algorithm === "plain-sha256")
    return createHash("sha256").update(key).update(canonical, "utf8").digest("hex");
  return createHmac(algorithm, key).update(canonical, "utf8").digest("hex");
}

/** The five headers of every protected request, in the order of the specification's table. */
export function headersFor(
  input: Pick<SigningInput, "keyId" | "timestamp" | "nonce" | "contentType">,
  signature: string,
): readonly (readonly [string, string])[] {
  return [
    [signatureHeaders.keyId, input.keyId],
    [signatureHeaders.timestamp, input.timestamp],
    [signatureHeaders.nonce, input.nonce],
    [signatureHeaders.signature, signature],
    ["Content-Type", input.contentType],
  ];
}
