import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { findNearMiss, type RefusedRequest } from "./near-misses.ts";

const base: Omit<RefusedRequest, "signature"> = {
  keyId: "kid_local_trader",
  secret: "local-secret-do-not-use-in-production",
  method: "POST",
  target: "/api/v1/trading/order",
  host: "localhost:8080",
  timestamp: "1767225600000",
  nonce: "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
  contentType: "application/json; charset=utf-8",
  body: Buffer.from('{ "side": "BUY", "a": [1, "x,y: z"] }'),
  signedPath: "path",
};

const sha256 = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");
const hmac = (lines: readonly string[], secret = base.secret): string =>
  createHmac("sha256", secret).update(lines.join("\n")).digest("hex");
const rightLines = [base.timestamp, base.nonce, "POST", base.target, "application/json", sha256(base.body)];

test.each<[string, string, Partial<RefusedRequest>]>([
  ["lower case", hmac(rightLines.with(2, "post")), {}],
  ["in seconds", hmac(rightLines.with(0, "1767225600")), {}],
  ["fifth line is empty", hmac(rightLines.with(4, "")), {}],
  ["Content-Type header as sent", hmac(rightLines.with(4, "application/json; charset=utf-8")), {}],
  ["newline follows the last line", hmac([...rightLines, ""]), {}],
  ["without /api/v1/trading", hmac(rightLines.with(3, "/order")), {}],
  ["parsed and written again", hmac(rightLines.with(5, sha256('{"side":"BUY","a":[1,"x,y: z"]}'))), {}],
  ["signed as GET", hmac(rightLines.with(2, "GET")), {}],
  [
    "blank after each comma",
    hmac(rightLines.with(5, sha256('{"a": "b,c", "d": [1, 2]}'))),
    { body: Buffer.from('{"a":"b,c","d":[1,2]}') },
  ],
  ["hash of {}", hmac(rightLines.with(5, sha256("{}"))), { body: new Uint8Array() }],
  ["the body line is left out", "", {}],
])("the sentence says: %s", (words, signature, more) => {
  const asLeftOut = hmac(rightLines.slice(0, 5));
  const miss = findNearMiss({ ...base, ...more, signature: signature === "" ? asLeftOut : signature });
  expect(miss?.hint).toContain(words === "the body line is left out" ? "bodyHash line is left out" : words);
  expect(miss?.hint).not.toContain(base.secret);
});

test("two common mistakes made together are both named", () => {
  const miss = findNearMiss({ ...base, signature: hmac(rightLines.with(0, "1767225600").with(2, "post")) });
  expect(miss?.mistakes).toEqual(["timestamp-seconds", "method-lower-case"]);
  expect(miss?.hint).toContain(" and ");
});

test("mistakes that come to the same on this request are named together", () => {
  const charset = hmac(rightLines.with(4, "application/json; charset=utf-8"));
  expect(findNearMiss({ ...base, signature: charset })?.mistakes).toEqual([
    "content-type-as-sent",
    "content-type-charset",
  ]);
});

test("a signature that nothing explains is not explained", () => {
  expect(findNearMiss({ ...base, signature: hmac(rightLines, "another secret") })).toBeNull();
  expect(findNearMiss({ ...base, signature: "0".repeat(64) })).toBeNull();
});

test("a body far larger than an order is not written again", () => {
  const large = `{ "a": "${"x".repeat(5000)}" }`;
  const signature = hmac(rightLines.with(5, sha256(large.replaceAll(" ", ""))));
  expect(findNearMiss({ ...base, body: Buffer.from(large), signature })).toBeNull();
  const small = `{ "a": "${"x".repeat(4000)}" }`;
  const named = findNearMiss({
    ...base,
    body: Buffer.from(small),
    signature: hmac(rightLines.with(5, sha256(small.replaceAll(" ", "")))),
  });
  expect(named?.mistakes).toContain("body-reserialised");
});

test("a body that is deeply nested or no JSON does not disturb the search", () => {
  for (const body of ["[".repeat(50_000) + "]".repeat(50_000), "\u0000", '{"a":', "null", "[]"]) {
    const request = { ...base, body: Buffer.from(body), signature: hmac(rightLines.with(2, "post")) };
    expect(() => findNearMiss(request)).not.toThrow();
  }
});
