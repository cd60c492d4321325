import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { success } from "./route.ts";
import { converse, eventually, requestText, send, signedHeaders } from "./testing/client.ts";
import { apiPrefix, slow, startTestServer, type TestServer } from "./testing/server.ts";
import { addUpgrades, authenticateHandshake, type Handshake } from "./upgrade.ts";

const streamPath = `${apiPrefix}/ws`;
let server: TestServer;
const decisions: string[] = [];

async function decide(handshake: Handshake): Promise<void> {
  const verified = authenticateHandshake(server.access, handshake);
  decisions.push(verified.ok ? verified.value.caller.name : verified.error.code);
  if (!verified.ok) return handshake.refuse(verified.error);
  await server.submit(null, verified.value.nonce);
  handshake.accept();
  handshake.socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
}

const start = async (
  handler: (handshake: Handshake) => void = (each) => void decide(each),
): Promise<void> => {
  decisions.length = 0;
  server = await startTestServer({
    listener: { settings: { shutdownGraceMs: 200 } },
    beforeListen: ({ listener }) => addUpgrades(listener, new Map([[streamPath, handler]])),
  });
};
afterEach(() => server.close());

function handshake(
  path = streamPath,
  headers: Readonly<Record<string, string>> = signedHeaders(server, { path: streamPath }),
): string {
  const all = {
    Host: "localhost",
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "AAAAAAAAAAAAAAAAAAAAAA==",
    ...headers,
  };
  return `GET ${path} HTTP/1.1\r\n${Object.entries(all)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join("")}\r\n`;
}

describe("a handshake", () => {
  test("is authenticated like a GET, and its nonce is committed before it is accepted", async () => {
    await start();
    const talk = converse(server.port, handshake());
    await talk.until(/101 Switching/);
    expect(decisions).toEqual(["trader"]);
    expect(server.committed).toHaveLength(1);
    expect(talk.statuses()).toEqual([101]);
  });

  test("draws on the same memory of nonces as any request", async () => {
    await start();
    const nonce = randomUUID();
    expect((await send(server, { nonce })).status).toBe(200);
    const talk = converse(
      server.port,
      handshake(streamPath, signedHeaders(server, { path: streamPath, nonce })),
    );
    await talk.closed;
    expect(talk.text()).toMatch(/ 401 .*connection: close.*NONCE_REUSED/is);
  });

  test("a plain GET is told what this path needs, and keeps its connection", async () => {
    await start();
    const reply = await send(server, { target: streamPath });
    expect([reply.status, reply.body["code"]]).toEqual([426, "UPGRADE_REQUIRED"]);
    expect(reply.headers["upgrade"]).toBe("websocket");
  });

  test.each<[string, number, string, () => string]>([
    ["without credentials", 401, "MISSING_CREDENTIALS", () => handshake(streamPath, {})],
    [
      "with a wrong signature",
      401,
      "INVALID_SIGNATURE",
      () => handshake(streamPath, signedHeaders(server, { path: "/ws" })),
    ],
    ["at another path", 404, "ROUTE_NOT_FOUND", () => handshake(`${streamPath}s`)],
    ["at an ordinary route", 404, "ROUTE_NOT_FOUND", () => handshake(`${apiPrefix}/order/open`)],
    ["with an escaped path", 400, "INVALID_TARGET", () => handshake(`${apiPrefix}/%77s`)],
    [
      "of a stranger's page",
      403,
      "FOREIGN_ORIGIN",
      () => handshake(streamPath, { Origin: "http://evil.example" }),
    ],
    ["for another host", 421, "MISDIRECTED_REQUEST", () => handshake(streamPath, { Host: "evil.example" })],
    ["with another method", 405, "METHOD_NOT_ALLOWED", () => handshake().replace("GET", "PUT")],
    ["without a key", 400, "MALFORMED_REQUEST", () => handshake(streamPath, { "Sec-WebSocket-Key": "" })],
    [
      "with a short key",
      400,
      "MALFORMED_REQUEST",
      () => handshake(streamPath, { "Sec-WebSocket-Key": "AAAA" }),
    ],
  ])("%s gets %i and a closed socket", async (_name, status, code, bytes) => {
    await start();
    const talk = converse(server.port, bytes());
    await talk.closed;
    expect(talk.statuses()).toEqual([status]);
    expect(talk.text()).toContain(`"code":"${code}"`);
    await eventually(() => server.listener.connections.size === 0);
  });

  test.each(["8", "12", "14", "013", "13, 8", ""])(
    "of version %j is told which one is spoken",
    async (version) => {
      await start();
      const headers = { ...signedHeaders(server, { path: streamPath }), "Sec-WebSocket-Version": version };
      const talk = converse(server.port, handshake(streamPath, headers));
      await talk.closed;
      expect(talk.text()).toMatch(/^HTTP\/1.1 426 .*\r\nsec-websocket-version: 13\r\n.*"UPGRADE_REQUIRED"/s);
      expect([decisions, server.committed]).toEqual([[], []]);
    },
  );

  test("that is refused is gone soon, even if the client never closes", async () => {
    await start();
    const talk = converse(server.port, handshake(streamPath, {}), true);
    await talk.until(/ 401 /);
    await eventually(() => server.listener.connections.size === 0);
    talk.socket.destroy();
  });

  test("that is never decided does not keep the server from closing", async () => {
    await start(() => {});
    const talks = Array.from({ length: 20 }, () => converse(server.port, handshake()));
    await eventually(() => server.listener.connections.size === 20);
    await server.close();
    await Promise.all(talks.map(({ closed }) => closed));
  });
});

describe("a request that ends HTTP on a connection waits for the answers before it", () => {
  const order = (more = {}): string =>
    requestText(server, { method: "POST", path: `${apiPrefix}/order`, body: "{}", ...more });
  const slowly = (): void => {
    server.submit = slow(server.submit, 50);
    server.place = () => success({ done: true });
  };
  const done = '{"done":true}';

  test.each<[string, number, () => string]>([
    ["a CONNECT", 404, () => "CONNECT x:1 HTTP/1.1\r\nHost: localhost\r\n\r\n"],
    ["an offer to nothing", 404, () => handshake("/", { Upgrade: "foo" })],
    ["a handshake without credentials", 401, () => handshake(streamPath, {})],
    ["a handshake", 101, () => handshake()],
  ])("%s behind one order", async (_name, status, bytes) => {
    await start();
    slowly();
    const talk = converse(server.port, order() + bytes());
    await talk.until(new RegExp(` ${status} .*\r\n\r\n`, "s"));
    talk.socket.destroy();
    expect(talk.statuses()).toEqual([200, status]);
    expect(talk.text().indexOf(done)).toBeLessThan(talk.text().lastIndexOf("HTTP/1.1"));
  });

  test("a handshake behind twenty orders, some of them held back", async () => {
    await start();
    slowly();
    const talk = converse(server.port, Array.from({ length: 20 }, () => order()).join("") + handshake());
    await talk.until(/ 101 .*\r\n\r\n/s);
    expect(talk.statuses()).toEqual([...Array.from({ length: 20 }, () => 200), 101]);
    // An answer that Node closes late must not leave the time-out of an idle connection on the socket.
    await eventually(() => server.listener.connections.size === 1);
    expect(talk.text()).toMatch(/101 Switching Protocols\r\n\r\n$/);
    talk.socket.destroy();
  });

  test.each<[string, () => string]>([
    ["at once", () => requestText(server, { target: `${apiPrefix}/%6Frder/open` })],
    ["behind another answer", () => order() + requestText(server, { target: "/a//b" })],
  ])("a handshake behind a refusal that closes %s is not carried out", async (_name, before) => {
    await start();
    slowly();
    const nonce = randomUUID();
    const shake = handshake(streamPath, signedHeaders(server, { path: streamPath, nonce }));
    const talk = converse(server.port, before() + shake);
    await talk.closed;
    expect(talk.statuses().at(-1)).toBe(400);
    expect(talk.statuses()).not.toContain(101);
    expect(decisions).toEqual([]);
    expect((await send(server, { nonce })).status).toBe(200);
  });

  test("nothing of HTTP is written into an accepted socket, with any later error", async () => {
    await start((each) => {
      each.accept();
      each.socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
      each.refuse({ code: "INTERNAL_ERROR", message: "injected" });
    });
    const talk = converse(server.port, handshake());
    await talk.closed;
    expect(talk.text()).not.toContain("injected");
  });

  test("an exception of ours closes the socket, not the process", async () => {
    await start(() => {
      throw new Error("injected");
    });
    await converse(server.port, handshake()).closed;
    await converse(server.port, order() + handshake()).closed;
    expect((await send(server)).status).toBe(200);
  });
});

describe("an offer of another protocol", () => {
  const offer = {
    Connection: "Upgrade, HTTP2-Settings",
    Upgrade: "h2c",
    "HTTP2-Settings": "AAEAAEAAAAIAAAAB",
  };

  test("at the path of the stream gets what any GET gets there", async () => {
    await start();
    const talk = converse(server.port, handshake(streamPath, { Upgrade: "h2c" }));
    await talk.until(/"code":"UPGRADE_REQUIRED"/);
    talk.socket.destroy();
    expect(talk.statuses()).toEqual([426]);
  });

  test("beside that of a WebSocket is left alone", async () => {
    await start();
    const headers = { ...signedHeaders(server, { path: streamPath }), Upgrade: "h2c, WebSocket" };
    const talk = converse(server.port, handshake(streamPath, headers));
    await talk.until(/101 Switching/);
    talk.socket.destroy();
  });

  test("of a WebSocket in HTTP/1.0 is none", async () => {
    await start();
    const talk = converse(server.port, handshake().replace("HTTP/1.1", "HTTP/1.0"));
    await talk.closed;
    expect(talk.statuses()).toEqual([426]);
  });

  test("with a body loses none of it, whole and in pieces", async () => {
    await start();
    const body = JSON.stringify({ texts: Array.from({ length: 12 }, () => "x".repeat(4000)) });
    const text = requestText(server, { method: "POST", path: `${apiPrefix}/order`, body, headers: offer });
    const talk = converse(server.port, text);
    await talk.until(/x"\]\}\}$/);
    const again = requestText(server, { method: "POST", path: `${apiPrefix}/order`, body, headers: offer });
    for (let at = 0; at < again.length; at += 7000) {
      talk.socket.write(again.slice(at, at + 7000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    await talk.until(/(x"\]\}\}.*){2}$/s);
    expect(talk.statuses()).toEqual([200, 200]);
    expect(server.calls.map(({ call }) => call.body)).toEqual([
      { ok: true, value: JSON.parse(body) as unknown },
      { ok: true, value: JSON.parse(body) as unknown },
    ]);
    talk.socket.destroy();
  });

  test("with every request of a connection costs it nothing, and none is lost", async () => {
    await start();
    const warnings: string[] = [];
    const warn = ({ message }: Error): void => void warnings.push(message);
    process.on("warning", warn);
    const texts = Array.from({ length: 200 }, () => requestText(server, { headers: offer }));
    const talk = converse(server.port, texts.join(""));
    await eventually(() => talk.statuses().length === 200);
    talk.socket.destroy();
    process.off("warning", warn);
    expect(new Set(talk.statuses())).toEqual(new Set([200]));
    expect(warnings).toEqual([]);
  });
});

test("a handshake that is never decided is closed in time", async () => {
  server = await startTestServer({
    listener: { settings: { requestTimeoutMs: 200 } },
    beforeListen: ({ listener }) => addUpgrades(listener, new Map([[streamPath, () => {}]])),
  });
  const talk = converse(server.port, handshake(), true);
  await eventually(() => server.listener.connections.size === 1);
  await eventually(() => server.listener.connections.size === 0);
  expect(talk.text()).toBe("");
  talk.socket.destroy();
});

test("an accepted socket is left alone when the server closes, until the grace period ends", async () => {
  server = await startTestServer({
    listener: { settings: { shutdownGraceMs: 200 } },
    beforeListen: ({ listener }) =>
      addUpgrades(listener, new Map([[streamPath, (each) => void decide(each)]])),
  });
  const talk = converse(server.port, handshake());
  await talk.until(/101 Switching/);
  const closing = server.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(talk.socket.destroyed).toBe(false);
  await Promise.all([closing, talk.closed]);
});

test("a handshake without a handler is an ordinary request", async () => {
  server = await startTestServer();
  const talk = converse(server.port, handshake());
  await talk.until(/"code":"ROUTE_NOT_FOUND"/);
  talk.socket.destroy();
});
