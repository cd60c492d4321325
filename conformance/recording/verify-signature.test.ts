/** What a secret says of the signatures in a recording. */
import { describe, expect, it } from "vitest";
import { signRequest } from "../signing/sign-request.ts";
import { hiddenValue } from "./hidden.ts";
import { type ImportedExchange, importedRecording } from "./imported.ts";
import { recordedBytes, type SignatureSeen } from "./recording.ts";
import { verified } from "./verify-signature.ts";

const secret = "the secret of this test";

interface Sent {
  readonly keyId?: string;
  readonly secret?: string;
  readonly target?: string;
  /** What is signed, where that is not the path. */
  readonly path?: string;
  readonly body?: string;
  readonly contentType?: string;
  /** Headers in place of those that were signed. */
  readonly changed?: Readonly<Record<string, string>>;
}

function exchange(sent: Sent, index: number): ImportedExchange {
  const { keyId = "kid-1", target = "/a/order?x=1", body = "{}", contentType = "application/json" } = sent;
  const { headers } = signRequest({
    keyId,
    secret: sent.secret ?? secret,
    timestamp: "1795659849511",
    nonce: `nonce-${index}`,
    method: "POST",
    path: sent.path ?? "/a/order",
    contentType,
    body: Buffer.from(body),
  });
  return {
    time: index,
    durationMs: 0,
    method: "POST",
    target,
    headers: headers.map(([name, value]) => [name, sent.changed?.[name] ?? value]),
    body: recordedBytes(Buffer.from(body)),
  };
}

function seenOf(...sent: readonly Sent[]): readonly (SignatureSeen | undefined)[] {
  const recording = importedRecording(sent.map(exchange), []);
  return verified(recording, secret).exchanges.map(({ signature }) => signature);
}

describe("a signature", () => {
  it.each<[string, Sent]>([
    ["over the path", {}],
    ["over path and query", { path: "/a/order?x=1" }],
    ["over the media type that was sent", { contentType: "text/plain" }],
    ["over a body that is no JSON", { body: '{ "a" : 1 }\n' }],
  ])("is right %s", (_, sent) => {
    expect(seenOf(sent)).toEqual(["right"]);
  });

  it.each<[string, Sent]>([
    ["with another secret", { secret: "another" }],
    ["over another path", { path: "/order" }],
    ["over another time", { changed: { "X-API-TIMESTAMP": "1795659849512" } }],
    ["over another nonce", { changed: { "X-API-NONCE": "n" } }],
  ])("is wrong %s", (_, sent) => {
    expect(seenOf({}, sent)).toEqual(["right", "wrong"]);
    expect(seenOf(sent)).toEqual(["wrong"]);
  });

  it("is not known where a part of it is missing or hidden, or the key is another", () => {
    expect(seenOf({}, { changed: { "X-API-NONCE": "" } })).toEqual(["right", undefined]);
    expect(seenOf({}, { changed: { "X-API-SIGNATURE": hiddenValue } })).toEqual(["right", undefined]);
    expect(seenOf({}, { keyId: "kid-2", secret: "another" })).toEqual(["right", undefined]);
  });

  it("that this secret gave to nobody is told", () => {
    const recording = importedRecording([exchange({ secret: "another" }, 0)], []);
    expect(verified(recording, secret).remarks).toEqual([expect.stringContaining("none of the signatures")]);
  });
});
