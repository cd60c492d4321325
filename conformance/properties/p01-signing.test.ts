import { createHash, webcrypto } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { signRequest } from "../signing/sign-request.ts";

/**
 * P-01: signing is deterministic and is the specification's. The second signer is written here from the document
 * alone: text put together by hand, and another implementation of HMAC.
 */
async function signedByHand(request: Request): Promise<string> {
  let text = "";
  text += request.timestamp;
  text += "\n";
  text += request.nonce;
  text += "\n";
  text += request.method;
  text += "\n";
  text += request.path;
  text += "\n";
  text += "application/json";
  text += "\n";
  text += createHash("sha256").update(request.body).digest("hex");
  const encoder = new TextEncoder();
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await webcrypto.subtle.importKey("raw", encoder.encode(request.secret), algorithm, false, [
    "sign",
  ]);
  const digest = await webcrypto.subtle.sign("HMAC", key, encoder.encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

interface Request {
  readonly timestamp: string;
  readonly nonce: string;
  readonly method: string;
  readonly path: string;
  readonly secret: string;
  readonly body: Uint8Array;
}

const segment = fc.stringMatching(/^(?:[a-zA-Z0-9._~-]|%[0-9A-F]{2}){1,12}$/);
const body = fc.oneof(
  fc.constant(new Uint8Array()),
  fc.string({ unit: "grapheme", maxLength: 200 }).map((text) => new TextEncoder().encode(text)),
  fc.uint8Array({ maxLength: 2_000 }),
  fc.nat({ max: 65_536 }).map((length) => new Uint8Array(length).fill(0x7b)),
);
const request: fc.Arbitrary<Request> = fc.record({
  timestamp: fc.integer({ min: 1, max: 1e15 }).map(String),
  nonce: fc.uuid(),
  method: fc.constantFrom("GET", "POST", "DELETE", "PUT"),
  path: fc.array(segment, { maxLength: 4 }).map((parts) => ["/api/v1/trading", ...parts].join("/")),
  secret: fc.string({ unit: "grapheme", minLength: 1, maxLength: 64 }),
  body,
});

describe("P-01: our signer", () => {
  it("agrees with one that was written another way, for any request", async () => {
    await fc.assert(
      fc.asyncProperty(request, async (one) => {
        const input = { ...one, keyId: "kid", contentType: "application/json" };
        const { signature } = signRequest(input);
        expect(signature).toBe(await signedByHand(one));
        expect(signRequest(input).signature).toBe(signature);
      }),
      { numRuns: 200 },
    );
  });

  it("tells two requests apart that differ in a byte of the body", async () => {
    const one = {
      timestamp: "1",
      nonce: "n",
      method: "GET",
      path: "/",
      secret: "s",
      body: new Uint8Array([0]),
    };
    expect(await signedByHand(one)).not.toBe(await signedByHand({ ...one, body: new Uint8Array([1]) }));
  });
});
