import { createHash, createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { type Diagnosis, type RefusedRequest, SignatureSearch } from "./signature-search.ts";

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

const atOnce = (request: RefusedRequest): Diagnosis => new SignatureSearch(request).atOnce();

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
  const miss = atOnce({ ...base, ...more, signature: signature === "" ? asLeftOut : signature });
  expect(miss.hint).toContain(words === "the body line is left out" ? "bodyHash line is left out" : words);
  expect(miss.hint).not.toContain(base.secret);
});

test("two common mistakes made together are both named", () => {
  const miss = atOnce({ ...base, signature: hmac(rightLines.with(0, "1767225600").with(2, "post")) });
  expect(miss.mistakes).toEqual(["timestamp-seconds", "method-lower-case"]);
  expect(miss.hint).toContain(" and ");
});

test("mistakes that come to the same on this request are named together", () => {
  const charset = hmac(rightLines.with(4, "application/json; charset=utf-8"));
  expect(atOnce({ ...base, signature: charset }).mistakes).toEqual([
    "content-type-as-sent",
    "content-type-charset",
  ]);
});

test("a signature that nothing explains is not explained", () => {
  expect(atOnce({ ...base, signature: hmac(rightLines, "another secret") }).hint).toBeNull();
  expect(atOnce({ ...base, signature: "0".repeat(64) }).mistakes).toEqual([]);
});

test("a body far larger than an order is not written again", () => {
  const large = `{ "a": "${"x".repeat(5000)}" }`;
  const signature = hmac(rightLines.with(5, sha256(large.replaceAll(" ", ""))));
  expect(atOnce({ ...base, body: Buffer.from(large), signature }).state).toBe("unexplained");
  const small = `{ "a": "${"x".repeat(4000)}" }`;
  const named = atOnce({
    ...base,
    body: Buffer.from(small),
    signature: hmac(rightLines.with(5, sha256(small.replaceAll(" ", "")))),
  });
  expect(named.mistakes).toContain("body-reserialised");
});

test("a body that is deeply nested or no JSON does not disturb the search", () => {
  for (const body of ["[".repeat(50_000) + "]".repeat(50_000), "\u0000", '{"a":', "null", "[]"]) {
    const request = { ...base, body: Buffer.from(body), signature: hmac(rightLines.with(2, "post")) };
    expect(() => atOnce(request)).not.toThrow();
  }
});

describe("what was signed and what should have been", () => {
  const expected = rightLines.join("\n");

  test("are shown with their first difference, in bytes", () => {
    const signed = rightLines.with(2, "post");
    const found = atOnce({ ...base, signature: hmac(signed) });
    expect(found).toMatchObject({ expectedCanonical: expected, signedCanonical: signed.join("\n") });
    expect(found.firstDifference).toEqual({ line: 3, byte: expected.indexOf("POST") });
    const longer = atOnce({ ...base, signature: hmac([...rightLines, ""]) });
    expect(longer.firstDifference).toEqual({ line: 6, byte: expected.length });
  });

  test("are equal where the mistake is in the key or in the digest", () => {
    const found = atOnce({ ...base, signature: hmac(rightLines).toUpperCase() });
    expect(found).toMatchObject({ signedCanonical: expected, firstDifference: null });
  });

  test("are in hex where they are no text, and bounded", () => {
    const utf16 = Buffer.from(expected, "utf16le");
    const signature = createHmac("sha256", base.secret).update(utf16).digest("hex");
    expect(atOnce({ ...base, signature }).signedCanonical).toBe(`0x${utf16.toString("hex")}`);
    const body = "x".repeat(20_000);
    const signed = hmac(rightLines.with(5, body));
    expect(atOnce({ ...base, body: Buffer.from(body), signature: signed }).signedCanonical).toHaveLength(
      8192,
    );
  });

  test("are not searched for until somebody asks", () => {
    const search = new SignatureSearch({ ...base, signature: hmac(rightLines.with(2, "post")) });
    expect(search.diagnosis).toMatchObject({ state: "notSearched", tried: 0, signedCanonical: null });
  });
});

describe("pairs that are not common", () => {
  const signed = rightLines.with(1, base.nonce.toUpperCase()).with(4, "text/plain");
  const rare = { ...base, signature: hmac(signed) };

  test("are found by going on, a little at a time", () => {
    const search = new SignatureSearch(rare);
    expect(search.atOnce().state).toBe("unfinished");
    for (let turn = 0; turn < 100_000 && !search.isOver; turn += 1) search.goOn(0);
    expect(search.diagnosis.mistakes.toSorted()).toEqual(["content-type-text-plain", "nonce-upper-case"]);
    expect(search.diagnosis.signedCanonical).toBe(signed.join("\n"));
  });

  test("end, if none of them explains the signature, with nothing", () => {
    const search = new SignatureSearch({ ...base, signature: hmac(rightLines, "another secret") });
    search.atOnce();
    search.goOn(60_000);
    expect(search.diagnosis).toMatchObject({ state: "unexplained", mistakes: [], hint: null });
    expect(search.diagnosis.tried).toBeGreaterThan(2000);
  });
});
