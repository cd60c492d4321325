/** Bodies, framing and methods that are refused before anyone asks who is calling; none reaches a handler. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  conversation,
  converse,
  eventually,
  place,
  requestText,
  send,
  type ToSend,
} from "./testing/client.ts";
import { answersIn, expectRefusal, statusLine } from "./testing/refused.ts";
import { apiPrefix, startTestServer, type TestServer } from "./testing/server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ listener: { settings: { allowedOrigins: ["http://localhost:3000"] } } });
});
afterAll(() => server.close());
beforeEach(() => {
  server.calls.length = 0;
});

const refused = (bytes: string | Buffer, status: number, code: string): Promise<void> =>
  expectRefusal(server, bytes, status, code);

describe("a body where there is none", () => {
  test.each(["GET", "HEAD", "OPTIONS"])("on %s, announced by its length", async (method) => {
    const text = requestText(server, { method, headers: { "Content-Length": "2" } });
    const answer = await conversation(server.port, `${text}{}`);
    expect(statusLine(answer)).toContain(" 400 ");
    expect(server.calls).toEqual([]);
  });

  test("on GET, in chunks", async () => {
    const text = requestText(server, { headers: { "Transfer-Encoding": "chunked" } });
    await refused(`${text}0\r\n\r\n`, 400, "UNEXPECTED_BODY");
  });

  test("of a hundred megabytes on GET: next to nothing of it is read", async () => {
    const reads: number[] = [];
    server.listener.app.server.once("connection", (socket) => {
      socket.once("close", () => reads.push(socket.bytesRead));
    });
    const talk = converse(server.port, requestText(server, { headers: { "Content-Length": "104857600" } }));
    const block = Buffer.alloc(1 << 20, 97);
    for (let sent = 0; sent < 100 && talk.socket.writable; sent += 1) talk.socket.write(block);
    await talk.until(/"code":"UNEXPECTED_BODY"/);
    await eventually(() => reads.length === 1);
    expect(reads[0]).toBeLessThan(1 << 20);
    expect(server.calls).toEqual([]);
  });

  test("an empty body is no body", async () => {
    expect((await send(server, { headers: { "Content-Length": "0" } })).status).toBe(200);
  });

  test("on DELETE, an empty object that was signed is let through, and nothing larger", async () => {
    const path = `${apiPrefix}/order/8e03978e`;
    expect((await send(server, { method: "DELETE", path })).status).toBe(200);
    expect((await send(server, { method: "DELETE", path, body: "{}" })).status).toBe(200);
    expect((await send(server, { method: "DELETE", path, body: "{}", sentBody: "{ }" })).status).toBe(401);
    server.calls.length = 0;
    expect(await send(server, { method: "DELETE", path, body: "[]" })).toMatchObject({ status: 400 });
    await refused(requestText(server, { method: "DELETE", path, body: '{"a":"b"}' }), 400, "UNEXPECTED_BODY");
    const chunked = requestText(server, {
      method: "DELETE",
      path,
      headers: { "Transfer-Encoding": "chunked" },
    });
    await refused(`${chunked}2\r\n{}\r\n0\r\n\r\n`, 400, "UNEXPECTED_BODY");
  });
});

describe("framing and coding of a body", () => {
  const order = (headers: NonNullable<ToSend["headers"]>, body = "{}"): string =>
    requestText(server, { method: "POST", path: `${apiPrefix}/order`, body, headers });

  test.each(["gzip", "br", "deflate, gzip"])("Content-Encoding: %s", async (coding) => {
    await refused(order({ "Content-Encoding": coding }), 415, "UNSUPPORTED_MEDIA_TYPE");
  });

  test.each(["gzip, chunked", "Chunked, chunked", "identity", "x"])(
    "Transfer-Encoding: %s",
    async (coding) => {
      const head = order({ "Transfer-Encoding": coding, "Content-Length": undefined }, "");
      await refused(`${head}2\r\n{}\r\n0\r\n\r\n`, 400, "MALFORMED_REQUEST");
    },
  );

  test.each([
    ["both ways of framing", { "Transfer-Encoding": "chunked" }],
    ["two lengths", { "Content-Length": ["2", "2"] }],
    ["a length with a sign", { "Content-Length": "+2" }],
    ["a length that is no number", { "Content-Length": "two" }],
    ["a negative length", { "Content-Length": "-1" }],
    ["two chunked codings", { "Transfer-Encoding": ["chunked", "chunked"] }],
  ])("%s", async (_name, headers) => {
    await refused(order(headers as Record<string, string | string[]>), 400, "MALFORMED_REQUEST");
  });

  test.each([
    ["a blank before the colon", "X-Filler : a"],
    ["a folded line", "X-Filler: a\r\n b"],
    ["a bare line feed", "X-Filler: a\nX-Other: b"],
    ["a NUL", "X-Filler: a\u0000b"],
    ["a carriage return inside", "X-Filler: a\rb"],
  ])("%s in a header", async (_name, line) => {
    const text = requestText(server).replace("\r\n\r\n", `\r\n${line}\r\n\r\n`);
    await refused(text, 400, "MALFORMED_REQUEST");
  });

  test.each([
    "\u0016\u0003\u0001\u0002\u0000",
    "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "GET /\r\n\r\n",
    "get / HTTP/1.1\r\n\r\n",
    `${"A".repeat(1024)} / HTTP/1.1\r\n\r\n`,
  ])("what is not HTTP/1.1: %j", async (bytes) => {
    const answer = await conversation(server.port, bytes);
    expect(statusLine(answer)).toMatch(/ (400|431|505) /);
    expect(answersIn(answer)).toBe(1);
  });

  test("an expectation other than 100-continue", async () => {
    await refused(order({ Expect: "200-ok" }), 417, "EXPECTATION_FAILED");
  });

  test("a body of exactly the limit is read, one byte more is not", async () => {
    const fits = `"${"a".repeat(102_398)}"`;
    expect((await place(server, fits)).status).toBe(400);
    expect(server.calls).toHaveLength(1);
    server.calls.length = 0;
    await refused(order({}, `${fits} `), 413, "PAYLOAD_TOO_LARGE");
  });

  test("the size is looked at before the credentials", async () => {
    const headers = { "X-API-KEY": undefined, "Content-Length": "102401" };
    await refused(order(headers, ""), 413, "PAYLOAD_TOO_LARGE");
  });

  test("a body in many chunks is verified and read as a whole", async () => {
    const body = '{"in":"many chunks"}';
    const headers = { "Transfer-Encoding": "chunked", Connection: "close" };
    const head = requestText(server, {
      method: "POST",
      path: `${apiPrefix}/order`,
      body,
      sentBody: "",
      headers,
    });
    const chunks = Array.from(body, (character) => `1\r\n${character}\r\n`).join("");
    expect(statusLine(await conversation(server.port, `${head}${chunks}0\r\n\r\n`))).toContain(" 200 ");
    expect(server.calls.map(({ call }) => call.body)).toEqual([{ ok: true, value: { in: "many chunks" } }]);
  });

  test("a chunked body beyond the limit is cut off", async () => {
    const head = order({ "Transfer-Encoding": "chunked" }, "").replace(/Content-Length: [0-9]+\r\n/, "");
    const chunk = `8000\r\n${"a".repeat(0x8000)}\r\n`;
    await refused(head + chunk.repeat(8), 413, "PAYLOAD_TOO_LARGE");
  });
});

describe("methods", () => {
  const methods = ["OPTIONS", "PUT", "PATCH", "TRACE", "PROPFIND"];
  test.each(methods)("%s is 405 on a path that has others, and says which", async (method) => {
    const reply = await send(server, { method });
    expect([reply.status, reply.headers["allow"]]).toEqual([405, "DELETE, GET, HEAD"]);
    expect(reply.body["code"]).toBe("METHOD_NOT_ALLOWED");
    expect(server.calls).toEqual([]);
  });

  test.each(methods)("%s is 404 where there is nothing", async (method) => {
    const reply = await send(server, { method, path: `${apiPrefix}/orders` });
    expect([reply.status, reply.headers["allow"]]).toEqual([404, undefined]);
  });

  test("a method that a path does not have is refused before authentication", async () => {
    const reply = await send(server, { method: "PUT", headers: { "X-API-KEY": undefined } });
    expect([reply.status, reply.body["message"]]).toEqual([
      405,
      `There is no PUT ${apiPrefix}/order/open: this path takes DELETE, GET, HEAD.`,
    ]);
  });

  test("CONNECT gets an answer and its socket is closed", async () => {
    await refused(
      "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
      404,
      "ROUTE_NOT_FOUND",
    );
  });
});

test("health needs no signature, and the guard checks it as well", async () => {
  const path = `${apiPrefix}/health/live`;
  const bare = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
  expect(await conversation(server.port, bare)).toContain('{"status":"ok"}');
  expect(await conversation(server.port, bare.replace("localhost", "evil.example"))).toContain(" 421 ");
});

test("a message never repeats raw control or direction characters of the client", async () => {
  const message = (text: string): string => String(JSON.parse(text.slice(text.indexOf("{"))).message);
  const type = await conversation(
    server.port,
    requestText(server, {
      method: "POST",
      path: `${apiPrefix}/order`,
      body: "{}",
      headers: { "Content-Type": "text/\u009b31m", Connection: "close" },
    }),
  ).catch(String);
  const key = await place(server, '{"\u202e\u200b":1,"\u202e\u200b":2}');
  const host = await conversation(
    server.port,
    requestText(server, { headers: { Host: "a", Origin: "http://\u009b" } }),
  );
  const path = await conversation(server.port, requestText(server, { target: "/%1b[31m" }));
  for (const text of [message(type), message(key.text), message(host), message(path)]) {
    expect(text).not.toMatch(/[^\x20-\x7e]/);
  }
  expect(message(type)).toContain("\\u{");
  expect(message(key.text)).toContain("\\u{202e}");
});
