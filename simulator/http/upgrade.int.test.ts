import { randomUUID } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { converse, eventually, send, signedHeaders } from "./testing/client.ts";
import { PREFIX, startTestServer, type TestServer } from "./testing/server.ts";
import { addUpgrades, authenticateHandshake, type Handshake } from "./upgrade.ts";

const WS = `${PREFIX}/ws`;
let server: TestServer;
const decisions: string[] = [];

async function decide(handshake: Handshake): Promise<void> {
  const caller = await authenticateHandshake(server.plug, handshake, "id");
  decisions.push(caller.ok ? caller.value.name : caller.error.code);
  if (!caller.ok) return handshake.refuse(caller.error);
  handshake.accept();
  handshake.socket.write("HTTP/1.1 101 Switching Protocols\r\n\r\n");
}

const start = async (
  handler: (handshake: Handshake) => void = (each) => void decide(each),
): Promise<void> => {
  decisions.length = 0;
  server = await startTestServer({
    listener: { settings: { shutdownGraceMs: 200 } },
    beforeListen: ({ listener }) => addUpgrades(listener, new Map([[WS, handler]])),
  });
};
afterEach(() => server.close());

function handshake(
  path = WS,
  headers: Readonly<Record<string, string>> = signedHeaders(server, { path: WS }),
): string {
  const all = { Host: "localhost", Connection: "Upgrade", Upgrade: "websocket", ...headers };
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
    const talk = converse(server.port, handshake(WS, signedHeaders(server, { path: WS, nonce })));
    await talk.closed;
    expect(talk.text()).toMatch(/ 401 .*connection: close.*NONCE_REUSED/is);
  });

  test("a plain GET is told what this path wants, and keeps its connection", async () => {
    await start();
    const reply = await send(server, { target: WS });
    expect([reply.status, reply.body["code"]]).toEqual([426, "UPGRADE_REQUIRED"]);
    expect(reply.headers["upgrade"]).toBe("websocket");
  });

  test.each<[string, number, string, () => string]>([
    ["without credentials", 401, "MISSING_CREDENTIALS", () => handshake(WS, {})],
    [
      "with a wrong signature",
      401,
      "INVALID_SIGNATURE",
      () => handshake(WS, signedHeaders(server, { path: "/ws" })),
    ],
    ["at another path", 404, "ROUTE_NOT_FOUND", () => handshake(`${WS}s`)],
    ["at an ordinary route", 404, "ROUTE_NOT_FOUND", () => handshake(`${PREFIX}/order/open`)],
    ["with an escaped path", 400, "INVALID_TARGET", () => handshake(`${PREFIX}/%77s`)],
    ["of a stranger's page", 403, "FOREIGN_ORIGIN", () => handshake(WS, { Origin: "http://evil.example" })],
    ["for another host", 421, "MISDIRECTED_REQUEST", () => handshake(WS, { Host: "evil.example" })],
    ["to another protocol", 426, "UPGRADE_REQUIRED", () => handshake(WS, { Upgrade: "h2c" })],
  ])("%s gets %i and a closed socket", async (_name, status, code, bytes) => {
    await start();
    const talk = converse(server.port, bytes());
    await talk.closed;
    expect(talk.statuses()).toEqual([status]);
    expect(talk.text()).toContain(`"code":"${code}"`);
    await eventually(() => server.listener.connections.size === 0);
  });

  test("that is refused is gone soon, even if the client never closes", async () => {
    await start();
    const talk = converse(server.port, handshake(WS, {}), true);
    await talk.until(/ 401 /);
    await eventually(() => server.listener.connections.size === 0);
    talk.socket.destroy();
  });

  test("that nobody decides does not keep the server from closing", async () => {
    await start(() => {});
    const talks = Array.from({ length: 20 }, () => converse(server.port, handshake()));
    await eventually(() => server.listener.connections.size === 20);
    await server.close();
    await Promise.all(talks.map(({ closed }) => closed));
  });
});

test("a handshake that nobody decides is closed in time", async () => {
  server = await startTestServer({
    listener: { settings: { requestTimeoutMs: 200 } },
    beforeListen: ({ listener }) => addUpgrades(listener, new Map([[WS, () => {}]])),
  });
  const talk = converse(server.port, handshake(), true);
  await eventually(() => server.listener.connections.size === 1);
  await eventually(() => server.listener.connections.size === 0);
  expect(talk.text()).toBe("");
  talk.socket.destroy();
});

test("an accepted socket is left alone when the server closes, until patience ends", async () => {
  server = await startTestServer({
    listener: { settings: { shutdownGraceMs: 200 } },
    beforeListen: ({ listener }) => addUpgrades(listener, new Map([[WS, (each) => void decide(each)]])),
  });
  const talk = converse(server.port, handshake());
  await talk.until(/101 Switching/);
  const closing = server.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(talk.socket.destroyed).toBe(false);
  await Promise.all([closing, talk.closed]);
});

test("a handshake without anybody for it is an ordinary request", async () => {
  server = await startTestServer();
  const talk = converse(server.port, handshake());
  await talk.until(/"code":"ROUTE_NOT_FOUND"/);
  talk.socket.destroy();
});
