/** Signed routes: authentication, the media type of a body, and what routes answer. */
import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { refuse, refused, successText } from "./route.ts";
import { place, type Reply, send, type ToSend } from "./testing/client.ts";
import { apiPrefix, startTestServer, type TestServer, type TestServerOptions } from "./testing/server.ts";

let server: TestServer;
const start = async (options: TestServerOptions = {}): Promise<TestServer> => {
  server = await startTestServer(options);
  return server;
};
afterEach(() => server.close());

const outcome = ({ status, body }: Reply): string => `${status} ${String(body["code"] ?? "ok")}`;
const orderPath = `${apiPrefix}/order`;

test("what hooks do to an answer may take a while: it is sent once, with its body", async () => {
  await start({
    beforeListen: ({ listener }) =>
      listener.app.addHook("onSend", async (_request, _reply, payload) => {
        // Where Fastify were to send a second time, without a body, that would be out first.
        if (payload !== undefined) await new Promise((resolve) => setTimeout(resolve, 5));
        return payload;
      }),
  });
  expect((await place(server, "{}")).body).toMatchObject({ statusCode: 200, success: true });
  expect(outcome(await place(server, "{}", { secret: "wrong" }))).toBe("401 INVALID_SIGNATURE");
  expect(outcome(await place(server, "{}", { headers: { "Content-Type": "text/plain" } }))).toMatch(/^415 /);
});

describe("authentication", () => {
  test("a body verifies over its own bytes only", async () => {
    await start();
    for (const body of ['{"a":"A"}', '{ "a" : "A" }', '{"a":"\\u0041"}', '{"a":"ü"}']) {
      expect(outcome(await place(server, body))).toBe("200 ok");
      expect(outcome(await place(server, body, { sentBody: `${body} ` }))).toBe("401 INVALID_SIGNATURE");
    }
  });

  test("a request without a body needs no Content-Type, and is not refused for having one", async () => {
    await start();
    const path = `${orderPath}/8e03978e`;
    for (const type of [undefined, "application/json", "application/json; charset=utf-8", "text/plain"]) {
      expect(outcome(await send(server, { headers: { "Content-Type": type } }))).toBe("200 ok");
      expect(outcome(await send(server, { method: "DELETE", path, headers: { "Content-Type": type } }))).toBe(
        "200 ok",
      );
    }
  });

  test("the query is not signed, and the answer says so", async () => {
    await start();
    const open = `${orderPath}/open`;
    expect(outcome(await send(server, { path: open, target: `${open}?product=BTC-USD` }))).toBe("200 ok");
    const signed = await send(server, { path: `${open}?product=BTC-USD` });
    expect(outcome(signed)).toBe("401 INVALID_SIGNATURE");
    expect(signed.body["message"]).toContain("query string is included");
  });

  test("credentials are read from headers only", async () => {
    await start();
    const headers = { "X-API-KEY": undefined };
    const reply = await send(server, { target: `${orderPath}/open?X-API-KEY=kid_local_trader`, headers });
    expect(outcome(reply)).toBe("401 MISSING_CREDENTIALS");
  });

  test("a 401 carries a challenge, and never the secret or the right signature", async () => {
    await start();
    const reply = await place(server, "{}", { secret: "wrong" });
    expect(reply.headers["www-authenticate"]).toBe('HMAC-SHA256 realm="trading"');
    expect(reply.text).not.toContain("local-secret");
    expect(reply.body).toMatchObject({
      statusCode: 401,
      success: false,
      error: "Unauthorized",
      path: orderPath,
    });
  });

  test("with diagnostics off, every 401 is the same to the byte", async () => {
    await start({ auth: { diagnostics: "off" }, listener: { now: () => 0 } });
    const id = { "X-Request-Id": "same" };
    const used = randomUUID();
    expect(outcome(await send(server, { nonce: used }))).toBe("200 ok");
    const attempts: readonly ToSend[] = [
      { headers: { ...id, "X-API-KEY": undefined } },
      { headers: { ...id, "X-API-SIGNATURE": "" } },
      { headers: id, keyId: "kid_nobody" },
      { headers: id, timestamp: "x" },
      { headers: id, timestamp: 1 },
      { headers: id, nonce: "x" },
      { headers: id, nonce: used },
      { headers: id, secret: "wrong" },
      { headers: id, keyId: "kid_disabled", secret: "a-third-secret" },
      { headers: { ...id, "X-API-SIGNATURE": "zz" } },
    ];
    const replies = await Promise.all(attempts.map((attempt) => send(server, attempt)));
    expect(replies.map(outcome)).toEqual(attempts.map(() => "401 UNAUTHORIZED"));
    const { date: _date, ...headers } = replies[0]?.headers ?? {};
    for (const reply of replies) {
      expect(reply.text).toBe(replies[0]?.text);
      expect(reply.headers).toMatchObject(headers);
    }
  });
});

describe("the media type of a body", () => {
  test.each([
    ["application/json", 200],
    ["Application/JSON", 200],
    ["application/json;charset=UTF-8", 200],
    ['application/json; charset="utf-8"', 200],
    ["application/json;", 200],
    ["application/json; profile=x", 200],
    [undefined, 415],
    ["", 415],
    ["text/plain", 415],
    ["application/jsonp", 415],
    ["application/json-patch+json", 415],
    ["application/json, text/plain", 415],
    ["application/json text/plain", 415],
    ["application/json; charset=latin1", 415],
    ["application/json; charset=utf-16", 415],
    ["multipart/form-data; boundary=x", 415],
    ["/", 415],
    ["\u00ff", 415],
  ])("%j is answered %i", async (type, status) => {
    await start();
    expect((await place(server, "{}", { headers: { "Content-Type": type } })).status).toBe(status);
  });

  test("can be demanded of every request", async () => {
    await start({ auth: { requireContentTypeAlways: true } });
    expect(outcome(await send(server))).toBe("200 ok");
    expect(outcome(await send(server, { headers: { "Content-Type": undefined } }))).toBe(
      "415 UNSUPPORTED_MEDIA_TYPE",
    );
  });
});

describe("the answer of a route", () => {
  test("reaches the client with its status and body", async () => {
    await start();
    server.place = () => successText('{"raw":"1.50"}', "Made", 202);
    const reply = await place(server, "{}");
    expect(reply).toMatchObject({
      status: 202,
      text: '{"statusCode":202,"success":true,"message":"Made","data":{"raw":"1.50"}}',
      headers: { "x-api-version": "1.0", "cache-control": "no-store" },
    });
  });

  test("refuses with a code of the table, or with a status of its own", async () => {
    await start();
    server.place = () => refuse("PRODUCT_NOT_FOUND", "No.", [{ field: "product" }]);
    expect(await place(server, "{}")).toMatchObject({
      status: 400,
      body: { details: [{ field: "product" }] },
    });
    server.place = () => refused({ code: "PRODUCT_NOT_FOUND", message: "No.", status: 404 });
    expect((await place(server, "{}")).status).toBe(404);
  });

  test("when it throws tells the client nothing of the inside, and the log everything", async () => {
    const lines: string[] = [];
    await start({ listener: { log: { level: "error", stream: { write: (line) => lines.push(line) } } } });
    const fails = async (): Promise<void> => {
      const reply = await place(server, "{}");
      expect(outcome(reply)).toBe("500 INTERNAL_ERROR");
      expect(reply.text).not.toContain("secret place");
    };
    server.place = () => {
      throw new Error("a secret place");
    };
    await fails();
    expect(server.committed).toHaveLength(1);
    server.submit = () => Promise.reject(new Error("a secret place"));
    await fails();
    expect(lines.filter((line) => line.includes("a secret place"))).toHaveLength(2);
  });

  test("is made of parameters and query as they were sent", async () => {
    await start();
    await send(server, {
      method: "DELETE",
      path: `${orderPath}/A-b_1`,
      target: `${orderPath}/A-b_1?x=1&y=a%2Bb`,
    });
    expect(server.calls[0]?.call).toMatchObject({ params: { id: "A-b_1" }, search: "x=1&y=a%2Bb" });
  });
});

test("a request id of the client is echoed when it is plain, and numbered otherwise", async () => {
  await start();
  const ids = [];
  for (const id of ["mine-1", "bad id", "x".repeat(65), undefined]) {
    const reply = await send(server, { headers: { "X-Request-Id": id } });
    ids.push(reply.headers["x-request-id"]);
  }
  expect(ids).toEqual(["mine-1", "req-00000001", "req-00000002", "req-00000003"]);
});

test("logs hold neither query nor credentials", async () => {
  const lines: string[] = [];
  await start({ listener: { log: { level: "trace", stream: { write: (line) => lines.push(line) } } } });
  await send(server, { target: `${orderPath}/open?token=hush` });
  server.listener.app.log.info({
    headers: { "x-api-signature": "hush" },
    secret: "hush",
    key: { secret: "hush" },
  });
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.join("")).not.toContain("hush");
  expect(lines.join("")).toContain(`${orderPath}/open`);
});
