/** Wrong signatures, and what a running venue says of them: at once in the 401, and later in the exchange and in why. */
import { describe, expect, test } from "vitest";
import { asObject, canonicalOf, type JsonObject, listIn, type Reply, sha256 } from "../testing/client.ts";
import { refusedStream } from "../testing/stream-client.ts";
import { useVenue } from "../testing/use-venue.ts";
import { useWorlds } from "../testing/use-worlds.ts";
import { limitBuy } from "../testing/venue.ts";
import { quietWorld } from "../testing/worlds.ts";

const venue = useVenue();
const withWorld = useWorlds(venue);

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

describe("a mistake of a person", () => {
  const advised = (reply: Reply): string => String(reply.body["message"]);

  test("is another key's secret: the key is named", async () => {
    const { secret } = venue().as("reader").credentials;
    const reply = await venue().trader.get("/order/open", { secret });
    expect(detailOf(reply)).toMatchObject({ mistakes: ["secret-of-another-key"], firstDifference: null });
    expect(advised(reply)).toContain("the secret of the key reader is used");
  });

  test("is the name of a key in place of its id", async () => {
    const reply = await venue().trader.get("/order/open", { headers: { "X-API-KEY": "trader" } });
    expect([reply.status, advised(reply)]).toEqual([
      401,
      expect.stringContaining(`The id of the key trader is ${venue().trader.credentials.keyId}.`),
    ]);
  });

  test("is a second nonce: told among what is left", async () => {
    const reply = await venue().trader.get("/order/open", {
      headers: { "X-API-NONCE": crypto.randomUUID() },
    });
    expect(advised(reply)).toMatch(/the timestamp or the nonce differs, it was made twice/);
  });

  test.each([
    [
      "its body with sorted keys, as Python writes it",
      '{"b": 1, "a": 2}',
      '{"a": 2, "b": 1}',
      "body-sorted-spaced",
    ],
    ["str() of bytes", '{"a":1}', "b'{\"a\":1}'", "body-python-bytes"],
  ])("is %s", async (_name, sentBody, body, mistake) => {
    const reply = await venue().trader.send(venue().trader.prepare("POST", "/order", { body, sentBody }));
    expect(detailOf(reply)["mistakes"]).toEqual([mistake]);
  });

  test.each([
    ["the hash of None", { bodyHash: sha256("None") }, ["no-body-none"]],
    ["the path of another route", { path: "/api/v1/trading/order" }, ["path-parent", "path-of-order"]],
  ])("is %s", async (_name, changed, mistakes) => {
    const reply = await venue().trader.get("/order/open", {
      canonical: (v) => canonicalOf({ ...v, ...changed }),
    });
    expect(detailOf(reply)["mistakes"]).toEqual(mistakes);
  });

  test("is a client_order_id where an order id is asked for", async () => {
    const { clientOrderId } = await venue().placed(limitBuy());
    for (const reply of [
      await venue().trader.get(`/order/${String(clientOrderId)}`),
      await venue().trader.delete(`/order/${String(clientOrderId)}`),
    ])
      expect([reply.status, advised(reply)]).toEqual([
        404,
        expect.stringContaining(`GET /order?clientOrderId=${String(clientOrderId)} shows it`),
      ]);
  });

  test("is a product or a field by another name", async () => {
    expect(advised(await venue().trader.place(limitBuy({ product: "BTC-USDT" })))).toBe(
      'Unknown product BTC-USDT; did you mean "BTC-USD"?',
    );
    const { price, ...order } = limitBuy();
    for (const name of ["limit_price", "limitPrice"]) {
      const reply = await venue().trader.place({ ...order, [name]: price ?? null });
      expect(advised(reply)).toContain(`price is required for a LIMIT order; the body has "${name}" instead`);
    }
  });

  test("is a side in lower case: nothing of the order counts as ignored", async () => {
    const reply = await venue().trader.place(limitBuy({ side: "buy" }));
    expect([reply.status, reply.headers["x-gatewright-ignored"]]).toEqual([400, undefined]);
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
  await withWorld({ world: quietWorld({ diagnostics: false }) }, async (own) => {
    const reply = await own.trader.get("/order/open", { secret: "not the secret" });
    expect(reply.body["details"]).toEqual([]);
    const exchange = await own.control(`/exchanges/${String(reply.headers["x-request-id"])}`, {}, "GET");
    expect(exchange["signature"]).toBeNull();
  });
});
