/** Every mistake of fixtures/signing/mistakes.yaml, carried out and found again. */
import { expect, test } from "vitest";
import { appliesTo, mistakenSigner, type RequestToSign } from "./mistaken-signature.ts";
import { knownMistakes, type Mistake } from "./mistakes.ts";
import { SignatureSearch } from "./signature-search.ts";
import { signatureOf } from "./verify-signature.ts";

const get: RequestToSign = {
  keyId: "kid_local_trader",
  secret: "00ff10ab00ff10ab00ff10ab00ff10ab",
  method: "GET",
  target: "/api/v1/trading/order/open",
  host: "localhost:8080",
  timestamp: "01767225600001",
  nonce: "9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10",
  contentType: "Application/JSON",
  body: new Uint8Array(),
  signedPath: "path",
};
const post = (body: string, more: Partial<RequestToSign> = {}): RequestToSign => ({
  ...get,
  method: "POST",
  body: Buffer.from(body),
  ...more,
});
const query = { target: `${get.target}/?product=BTC-USD` };

/** Between them, each mistake can be made. */
const requests: readonly RequestToSign[] = [
  get,
  { ...get, ...query },
  { ...get, ...query, signedPath: "path-and-query" },
  { ...get, secret: " sécret ", nonce: get.nonce.toUpperCase() },
  post('{ "b": {"d":[1,"x,y: z"], "c":2}, "a":1}'),
  post(' {"b": "e\u0301te\u0301","a":[1,2]}\n'),
  post(' {"a":"\u00e9"}\r\n'),
  post(`{"a":"${"x".repeat(4096)}"}`),
  post('{"a":"\u00e9/b","c":null}'),
  post('{"a":"\u00e9"}'),
  post('{"a":"b/c"}'),
  { ...get, target: "/api/v1/trading/order/my%20order" },
  { ...get, target: `${get.target}?product=BTC-USD&limit=10`, signedPath: "path-and-query" },
];

const { mistakes } = knownMistakes();
const searched = mistakes.filter(({ sent }) => sent !== true);

/** The mistakes that the search names for a request in which only this mistake was made. */
function namesFor(request: RequestToSign, { edit }: Mistake): readonly string[] {
  const signature = mistakenSigner(request)(edit)?.signature;
  return signature === undefined ? [] : [...new SignatureSearch({ ...request, signature }).atOnce().mistakes];
}

test.each(searched.map((mistake) => [mistake.id, mistake] as const))("%s is named", (id, mistake) => {
  // Other mistakes may give the same signature for some of the requests, and three are named at most.
  const isNamed = requests.some((request) => {
    const names = appliesTo(mistake.when, request) ? namesFor(request, mistake) : [];
    return names.length <= 2 && names.includes(id);
  });
  expect(isNamed).toBe(true);
});

test("no mistake gives the right signature, and no sentence holds anything of a request", () => {
  for (const request of requests) {
    const signWith = mistakenSigner(request);
    const right = signWith()?.signature;
    for (const mistake of mistakes) expect(signWith(mistake.edit)?.signature, mistake.id).not.toBe(right);
  }
  for (const { title, remedy } of mistakes) expect(title + remedy).not.toMatch(/<\w+>/);
});

test("the secret can be part of a signature, and of nothing that is shown", () => {
  for (const { id, edit } of mistakes) {
    const { signature: _, ...shown } = edit;
    expect(JSON.stringify(shown), id).not.toContain("<secret>");
  }
});

test("each id and each title belongs to one mistake", () => {
  expect(new Set(mistakes.map(({ id }) => id)).size).toBe(mistakes.length);
  expect(new Set(mistakes.map(({ title }) => title)).size).toBe(mistakes.length);
});

test("without a mistake, the signature is the right one", () => {
  const canonical = `${get.timestamp}\n${get.nonce}\nGET\n${get.target}\napplication/json\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855`;
  expect(mistakenSigner(get)()).toEqual({ text: canonical, signature: signatureOf(get.secret, canonical) });
});

test("a word that the vocabulary does not have is an error, not a mistake that is never found", () => {
  expect(() => mistakenSigner(get)({ nonce: "louder" })).toThrow("unknown word louder");
});
