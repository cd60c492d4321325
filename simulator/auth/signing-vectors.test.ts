/** All vectors of fixtures/signing, through the whole of authentication; made without this project's code. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { bodyHashOf, canonicalRequest, pathOf } from "./canonical-request.ts";
import { createKeyring } from "./keyring.ts";
import { SignatureSearch } from "./signature-search.ts";
import { traderKeyId } from "./testing/sign.ts";
import { testVenue } from "./testing/venue.ts";
import { signatureOf } from "./verify-signature.ts";

interface Vector {
  readonly tcId: number;
  readonly name: string;
  readonly comment: string;
  readonly secret: string;
  readonly request: {
    readonly timestamp: string;
    readonly nonce: string;
    readonly method: string;
    readonly path: string;
    readonly contentType: string | null;
    readonly body?: string;
    readonly bodyBase64?: string;
    readonly bodyGenerator?: { readonly repeat: string; readonly times: number };
  };
  readonly signedPath?: "path" | "path-and-query";
  readonly bodySha256: string;
  readonly canonical: string;
  readonly signature: string;
  readonly result: "valid" | "invalid";
  readonly bugType?: string;
}

interface VectorFile {
  readonly numberOfTests: number;
  readonly tests: readonly Vector[];
}

const file = JSON.parse(
  readFileSync(new URL("../../fixtures/signing/vectors.json", import.meta.url), "utf8"),
) as VectorFile; // as: the file is ours, and its count is asserted below
const vectors = file.tests;
const usable = vectors.filter((vector) => vector.secret !== "");

function bodyOf({ request }: Vector): Buffer {
  if (request.bodyGenerator)
    return Buffer.from(request.bodyGenerator.repeat.repeat(request.bodyGenerator.times));
  return request.bodyBase64 ? Buffer.from(request.bodyBase64, "base64") : Buffer.from(request.body ?? "");
}

function authenticate(vector: Vector): string {
  const { request } = vector;
  const key = { name: "vector", keyId: traderKeyId, secret: vector.secret, client: 0, claims: [] };
  const venue = testVenue({ signedPath: vector.signedPath ?? "path" }, [key]);
  venue.clock.now = Number(request.timestamp);
  const { timestamp, nonce } = request;
  const screened = venue.authenticator.screen({
    keyId: traderKeyId,
    timestamp,
    nonce,
    signature: vector.signature,
    repeated: null,
  });
  if (!screened.ok) return screened.error.code;
  const verified = venue.authenticator.verify(screened.value, {
    method: request.method,
    target: request.path,
    host: "localhost",
    contentType: request.contentType ?? undefined,
    body: bodyOf(vector),
  });
  return verified.ok ? "valid" : verified.error.code;
}

test("the file of vectors is complete", () => {
  expect(vectors.length).toBe(file.numberOfTests);
  expect(vectors.length).toBeGreaterThanOrEqual(60);
});

describe("every vector", () => {
  test.each(usable.map((vector) => [vector.tcId, vector.name, vector] as const))(
    "%i %s",
    (_id, _name, vector) => {
      const { timestamp, nonce, method, path } = vector.request;
      const bodyHash = bodyHashOf(bodyOf(vector));
      const signedPath = vector.signedPath === "path-and-query" ? path : pathOf(path);
      expect(bodyHash).toBe(vector.bodySha256);
      expect(canonicalRequest({ timestamp, nonce, method, path: signedPath, bodyHash })).toBe(
        vector.canonical,
      );
      const outcome = authenticate(vector);
      if (vector.result === "valid") expect(outcome, vector.comment).toBe("valid");
      else expect(["INVALID_SIGNATURE", "MISSING_CREDENTIALS"], vector.comment).toContain(outcome);
    },
  );
});

test("a secret without characters is refused when the key is made", () => {
  expect(vectors.some((vector) => vector.secret === "")).toBe(true);
  const empty = { name: "a", keyId: "a", secret: "", client: null, claims: [] };
  expect(() =>
    createKeyring(() => ({
      world: { keys: [empty] },
      createdKeys: [],
      keySalts: new Map(),
      keyState: () => "enabled",
    })),
  ).toThrow("at least one character");
});

/**
 * Mistakes that cannot be recognised: another body, another secret, a value that only the client knows, or a damaged
 * digest.
 */
const untraceable = new Set(["BodyTampered", "DigestLength", "DigestTampered", "MutatedLine", "WrongSecret"]);

test("the mistake behind every traceable invalid vector is named, and nothing is given away", () => {
  const silent: string[] = [];
  for (const vector of usable.filter(({ result }) => result === "invalid")) {
    const { timestamp, nonce, method, path, contentType } = vector.request;
    const diagnosis = new SignatureSearch({
      keyId: "kid_local_trader",
      secret: vector.secret,
      method,
      target: path,
      host: "gateway.example",
      timestamp,
      nonce,
      contentType: contentType ?? undefined,
      body: bodyOf(vector),
      signature: vector.signature,
      signedPath: vector.signedPath ?? "path",
    }).atOnce();
    const right = signatureOf(vector.secret, vector.canonical);
    const told = JSON.stringify({ ...diagnosis, expectedCanonical: "" });
    expect(told).not.toContain(right);
    expect(told).not.toContain(vector.secret);
    if (diagnosis.state !== "found") silent.push(vector.name);
  }
  const bugOf = (name: string): string => vectors.find((vector) => vector.name === name)?.bugType ?? "";
  expect(silent.filter((name) => !untraceable.has(bugOf(name)))).toEqual([]);
});
