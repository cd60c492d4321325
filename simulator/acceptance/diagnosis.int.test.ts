/** Wrong signatures, and what a running venue says of them: at once in the 401, and later in the exchange and in why. */
import { describe, expect, test } from "vitest";
import { asObject, canonicalOf, type JsonObject, listIn, type Reply } from "../testing/client.ts";
import { refusedStream } from "../testing/stream-client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { limitBuy, withVenue } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();

const signatureOf = async (id: unknown): Promise<JsonObject> =>
  asObject((await venue().control(`/exchanges/${String(id)}`, {}, "GET"))["signature"]);
const detailOf = (reply: Reply): JsonObject => asObject(listIn(reply.body["details"])[0]);

/** Not common, so that no answer waits for them. */
const rarePair = (): Promise<Reply> =>
  venue().trader.get("/order/open", {
    canonical: (v) => canonicalOf({ ...v, nonce: v.nonce.toUpperCase(), contentType: "text/plain" }),
  });

describe("a mistake that is known at once", () => {
  test("is named in the answer, with both texts and where they differ", async () => {
    let right = "";
    const reply = await venue().trader.get("/order/open", {
      canonical: (v) => {
        right = canonicalOf(v);
        return canonicalOf({ ...v, method: "get" });
      },
    });
    expect(detailOf(reply)).toMatchObject({
      check: "signature",
      mistakes: ["method-lower-case"],
      expectedCanonical: right,
      signedCanonical: right.replace("GET", "get"),
      firstDifference: { line: 3, byte: right.indexOf("GET") },
    });
    expect(await signatureOf(reply.headers["x-request-id"])).toMatchObject({
      state: "found",
      mistakes: ["method-lower-case"],
    });
  });

  test("is in the exchange of a handshake, too", async () => {
    const { body } = await refusedStream(venue().trader, {
      canonical: (v) => canonicalOf({ ...v, method: "get" }),
    });
    const found = await signatureOf(body["requestId"]);
    expect(found).toMatchObject({ state: "found", mistakes: ["method-lower-case"] });
  });
});

describe("a rare pair of mistakes", () => {
  test("is not in the answer, and soon in the exchange", async () => {
    const reply = await rarePair();
    expect(Object.keys(detailOf(reply))).toEqual(["check", "expectedCanonical", "hint"]);
    const found = await signatureOf(reply.headers["x-request-id"]);
    expect(listIn(found["mistakes"] as never).length).toBe(2);
    expect(found).toMatchObject({ state: "found", firstDifference: { line: 2 } });
    expect(found["expectedCanonical"]).toBe(detailOf(reply)["expectedCanonical"]);
  });

  test("is in why, behind the refusal", async () => {
    const reply = await rarePair();
    const { facts } = await venue().control(`/explain/${String(reply.headers["x-request-id"])}`, {}, "GET");
    expect(listIn(facts).map(({ code }) => code)).toEqual(["RECEIVED", "REFUSED", "SIGNATURE"]);
    const { sentence, values } = asObject(listIn(facts)[2]);
    expect(sentence).toContain("nonce is signed in upper case");
    expect(values).toMatchObject({ differsInLine: 2 });
  });
});

test("a signature that nothing explains is said to be none of all that was tried", async () => {
  const reply = await venue().trader.place(limitBuy(), { secret: "not the secret" });
  const id = String(reply.headers["x-request-id"]);
  expect(await signatureOf(id)).toMatchObject({ state: "unexplained", mistakes: [], signedCanonical: null });
  const { facts } = await venue().control(`/explain/${id}`, {}, "GET");
  expect(String(listIn(facts)[2]?.["sentence"])).toMatch(/^None of the \d{4} mistakes and pairs/);
});

test("neither secret nor signature is in any of it", async () => {
  const { trader } = venue();
  const prepared = trader.prepare("GET", "/order/open");
  const right = String(prepared.headers["X-API-SIGNATURE"]);
  const reply = await trader.send({
    ...prepared,
    headers: { ...prepared.headers, "X-API-SIGNATURE": Buffer.from(right, "hex").toString("base64") },
  });
  const found = await signatureOf(reply.headers["x-request-id"]);
  expect(found["mistakes"]).toEqual(["signature-base64"]);
  for (const text of [reply.text, JSON.stringify(found)])
    for (const secret of [trader.credentials.secret, right]) expect(text).not.toContain(secret);
});

test("a venue without diagnostics says nothing of it, in the exchange neither", async () => {
  await withVenue({ world: quietWorld({ diagnostics: false }) }, async (own) => {
    const reply = await own.trader.get("/order/open", { secret: "not the secret" });
    expect(reply.body["details"]).toEqual([]);
    const exchange = await own.control(`/exchanges/${String(reply.headers["x-request-id"])}`, {}, "GET");
    expect(exchange["signature"]).toBeNull();
  });
});
