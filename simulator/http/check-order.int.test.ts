/** Signed routes: the order of checks, and what becomes of the nonce. */
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { nothingDone } from "../sequencer/batch.ts";
import { VenueUnavailable } from "../sequencer/unavailable.ts";
import { createRateLimit } from "./limits.ts";
import { conversation, place, type Reply, requestText, send, type ToSend } from "./testing/client.ts";
import { apiPrefix, startTestServer, type TestServer, type TestServerOptions } from "./testing/server.ts";

let server: TestServer;
const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
  server = await startTestServer(options);
  return server;
};
afterEach(() => server.close());

const outcome = ({ status, body }: Reply): string => `${status} ${String(body["code"] ?? "ok")}`;
const orderPath = `${apiPrefix}/order`;
const reader = { keyId: "kid_reader", secret: "another-secret" };

describe("a nonce", () => {
  test("is not used up by a wrong signature, and is used up by the right one", async () => {
    await start();
    const nonce = randomUUID();
    expect(outcome(await send(server, { nonce, secret: "wrong" }))).toBe("401 INVALID_SIGNATURE");
    expect(outcome(await send(server, { nonce }))).toBe("200 ok");
    expect(outcome(await send(server, { nonce }))).toBe("401 NONCE_REUSED");
    expect(outcome(await send(server, { nonce: nonce.toUpperCase() }))).toBe("401 NONCE_REUSED");
    expect(outcome(await send(server, { nonce, ...reader }))).toBe("200 ok");
    expect(server.committed).toHaveLength(2);
  });

  test("is used up and committed by a verified request that ends in a refusal", async () => {
    await start();
    const attempts: readonly [string, ToSend][] = [
      ["400 MALFORMED_JSON", { method: "POST", path: orderPath, body: "{" }],
      ["403 MISSING_CLAIM", { method: "POST", path: orderPath, body: "{}", ...reader }],
      [
        "415 UNSUPPORTED_MEDIA_TYPE",
        { method: "POST", path: orderPath, body: "{}", headers: { "Content-Type": "text/plain" } },
      ],
      ["400 INVALID_QUERY", { target: `${orderPath}/open?a=%ff` }],
    ];
    for (const [expected, attempt] of attempts) {
      const nonce = randomUUID();
      expect(outcome(await send(server, { ...attempt, nonce }))).toBe(expected);
      expect(server.committed.at(-1)?.nonce).toBe(nonce.replaceAll("-", ""));
      expect(outcome(await send(server, { ...attempt, nonce }))).toBe("401 NONCE_REUSED");
    }
    expect(server.committed).toHaveLength(attempts.length);
  });

  test("is committed before the answer leaves", async () => {
    await start();
    let committed = false;
    server.submit = async () => {
      await new Promise((resolve) => setTimeout(resolve, 30));
      committed = true;
      return nothingDone;
    };
    expect(outcome(await send(server))).toBe("200 ok");
    expect(committed).toBe(true);
  });

  test("serves one of many simultaneous requests", async () => {
    await start();
    const nonce = randomUUID();
    const replies = await Promise.all(Array.from({ length: 20 }, () => send(server, { nonce })));
    expect(replies.map(outcome).sort()).toEqual(["200 ok", ...Array<string>(19).fill("401 NONCE_REUSED")]);
  });

  test("stays used up when the commit fails, and the client learns that the outcome is unknown", async () => {
    await start();
    const nonce = randomUUID();
    const commit = server.submit;
    server.submit = () => Promise.reject(new VenueUnavailable("unknown"));
    const reply = await place(server, "{}", { nonce });
    expect(outcome(reply)).toBe("503 OUTCOME_UNKNOWN");
    expect(reply.headers["retry-after"]).toBe("1");
    server.submit = commit;
    expect(outcome(await place(server, "{}", { nonce }))).toBe("401 NONCE_REUSED");
  });
});

describe("the order of checks", () => {
  test("goes from the route to the handler, one correction at a time", async () => {
    const now = { ms: 0 };
    const keyLimit = createRateLimit({ perSecond: 1, burst: 1 }, () => now.ms);
    const addressLimit = createRateLimit({ perSecond: 1, burst: 1 }, () => now.ms);
    await start({ access: { keyLimit, addressLimit } });
    const all: ToSend = {
      method: "POST",
      path: orderPath,
      sentBody: "{",
      headers: { "Content-Type": "text/plain" },
    };
    const path = `${orderPath}?a=%ff`;
    const rest = { ...all, ...reader, body: "{", target: path };
    expect(outcome(await send(server, { ...all, path: "/nowhere" }))).toBe("404 ROUTE_NOT_FOUND");
    expect(outcome(await send(server, { ...all, timestamp: "x" }))).toBe("401 INVALID_TIMESTAMP");
    expect(outcome(await send(server, { ...all, timestamp: "x" }))).toBe("429 RATE_LIMITED");
    const step = async (attempt: ToSend): Promise<string> => {
      now.ms += 1000;
      return outcome(await send(server, attempt));
    };
    expect(await step({ ...all, body: "{}" })).toBe("401 INVALID_SIGNATURE");
    expect(await step(rest)).toBe("403 MISSING_CLAIM");
    now.ms += 10;
    expect(await step({ ...all, body: "{", target: path })).toBe("415 UNSUPPORTED_MEDIA_TYPE");
    const typed: ToSend = { method: "POST", path: orderPath, body: "{", target: path };
    expect(await step(typed)).toBe("400 INVALID_QUERY");
    expect(await step({ ...typed, target: orderPath })).toBe("400 MALFORMED_JSON");
    expect(await step({ ...typed, target: orderPath, body: "{}" })).toBe("200 ok");
  });

  test("puts the signature before a media type that cannot even be read", async () => {
    await start();
    for (const type of ["/", ";", "\u00ff", "application"]) {
      const headers = { "Content-Type": type };
      expect(outcome(await place(server, "{}", { headers, secret: "wrong" }))).toBe("401 INVALID_SIGNATURE");
      expect(outcome(await place(server, "{}", { headers }))).toBe("415 UNSUPPORTED_MEDIA_TYPE");
    }
    expect(server.committed).toHaveLength(4);
  });

  test("puts the limit of the key before the claim", async () => {
    const keyLimit = createRateLimit({ perSecond: 1, burst: 1 }, () => 0);
    await start({ access: { keyLimit } });
    expect(outcome(await place(server, "{}", reader))).toBe("403 MISSING_CLAIM");
    const reply = await place(server, "{}", reader);
    expect(outcome(reply)).toBe("429 RATE_LIMITED");
    expect(reply.headers).toMatchObject({
      "retry-after": "1",
      "x-ratelimit-limit": "1",
      "x-ratelimit-remaining": "0",
    });
    expect(server.committed).toHaveLength(2);
  });

  test("does not read the body of a request whose credentials are unusable", async () => {
    await start();
    const text = requestText(server, {
      method: "POST",
      path: orderPath,
      headers: { "X-API-TIMESTAMP": "x", "Content-Length": "1000" },
    });
    const answer = await conversation(server.port, text);
    expect(answer).toMatch(/ 401 .*connection: close.*INVALID_TIMESTAMP/is);
  });

  test("keeps the connection when only the signature is wrong: the body has been read", async () => {
    await start();
    const bad = requestText(server, { method: "POST", path: orderPath, body: "{}", secret: "wrong" });
    const good = requestText(server, { headers: { Connection: "close" } });
    const answer = await conversation(server.port, bad + good);
    expect([...answer.matchAll(/HTTP\/1\.1 ([0-9]+)/g)].map((match) => match[1])).toEqual(["401", "200"]);
  });
});
