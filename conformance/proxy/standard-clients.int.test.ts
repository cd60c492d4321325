/** What a standard client may send, as bytes, through both proxies; and what must not pass as a handshake. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { readRecordingText } from "../recording/read-recording.ts";
import { startRecordingProxy } from "./recording-proxy.ts";
import { startSigningProxy } from "./signing-proxy.ts";

let folder = "";
const file = (): string => path.join(folder, "a.recording");
const closers: (() => unknown)[] = [];
/** What reached the gateway: method, target, body. */
const arrived: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "standard-"));
  arrived.length = 0;
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true });
});

async function targetOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

/** Ignores every offer but that of a stream, as it may. */
function gateway(): Server {
  const serve = async (request: IncomingMessage): Promise<string> => {
    arrived.push(`${request.method} ${request.url} ${await text(request)}`);
    return `{"answer":${arrived.length}}`;
  };
  return createServer((request, response) => void serve(request).then((body) => response.end(body)));
}

const proxies = {
  sign: (target: string) =>
    startSigningProxy({ target, keyId: "kid_trader", secret: "trader-secret-for-tests-only" }),
  record: (target: string) => startRecordingProxy({ target, file: file(), notice: () => undefined }),
};

async function proxyOf(kind: keyof typeof proxies, target: string): Promise<URL> {
  const proxy = await proxies[kind](target);
  closers.push(proxy.close);
  return new URL(proxy.url);
}

async function said(url: URL, bytes: string): Promise<string> {
  const socket = connect(Number(url.port), "127.0.0.1");
  socket.write(bytes);
  return text(socket);
}

const h2c = "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAAB\r\n";
const statuses = (answer: string): string[] => answer.match(/HTTP\/1\.1 \d{3}/g) ?? [];
const lines = () => readRecordingText(file(), readFileSync(file(), "utf8"));

describe.each(["sign", "record"] as const)("the proxy of `%s`", (kind) => {
  const order = (url: URL, more: string, method = "POST", line = "1.1"): string => {
    const body = method === "POST" ? '{"a":1}' : "";
    return `${method} ${url.pathname}/order HTTP/${line}\r\nHost: ${url.host}\r\nContent-Type: application/json\r\n${more}Content-Length: ${body.length}\r\n\r\n${body}`;
  };

  it.each([
    ["HTTP/2", h2c],
    ["TLS", "Connection: Upgrade\r\nUpgrade: TLS/1.2\r\n"],
    ["something unknown", "Connection: upgrade\r\nUpgrade: foo, bar/2\r\n"],
  ])("ignores an offer of %s: four requests on a connection, in one write", async (_, offer) => {
    const url = await proxyOf(kind, await targetOf(gateway()));
    const answer = await said(
      url,
      order(url, offer) +
        order(url, offer, "GET") +
        order(url, offer) +
        order(url, `${offer}Connection: close\r\n`),
    );
    expect(statuses(answer)).toEqual(Array.from({ length: 4 }, () => "HTTP/1.1 200"));
    expect([...answer.matchAll(/"answer":(\d)/g)].map(([, at]) => at)).toEqual(["1", "2", "3", "4"]);
    expect(arrived).toEqual([
      'POST /api/order {"a":1}',
      "GET /api/order ",
      'POST /api/order {"a":1}',
      'POST /api/order {"a":1}',
    ]);
    if (kind === "sign") return;
    await expect.poll(() => lines().exchanges.length).toBe(4);
    const kept = lines().exchanges;
    expect(
      kept.map(({ request, answer: got, problem }) => [
        request.method,
        request.body.text,
        got?.status,
        problem,
      ]),
    ).toEqual([
      ["POST", '{"a":1}', 200, undefined],
      ["GET", undefined, 200, undefined],
      ["POST", '{"a":1}', 200, undefined],
      ["POST", '{"a":1}', 200, undefined],
    ]);
  });

  it("takes the path of a whole address, and its host in place of the header", async () => {
    const url = await proxyOf(kind, await targetOf(gateway()));
    const whole = (host: string): string =>
      order(url, "Connection: close\r\n")
        .replace("POST /", `POST http://${host}/`)
        .replace(/Host: .*/, "Host: other.example");
    expect(statuses(await said(url, whole(url.host)))).toEqual(["HTTP/1.1 200"]);
    expect(statuses(await said(url, whole("evil.example")))).toEqual(["HTTP/1.1 403"]);
  });

  it("serves HTTP/1.0 and HEAD", async () => {
    const url = await proxyOf(kind, await targetOf(gateway()));
    expect(statuses(await said(url, order(url, "", "POST", "1.0")))).toEqual(["HTTP/1.1 200"]);
    const head = await said(url, order(url, "Connection: close\r\n", "HEAD"));
    expect(head).toMatch(/^HTTP\/1\.1 200 [^]*\r\n\r\n$/);
  });
});

describe("a handshake through the recorder", () => {
  const shake = (url: URL, more = ""): string =>
    `GET ${url.pathname}/ws HTTP/1.1\r\nHost: ${url.host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n${more}\r\n`;
  const smuggled = "POST /smuggled HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 2\r\n\r\nno";

  it("that the gateway ignores leaves no tunnel: what is behind it never arrives", async () => {
    const seen: string[] = [];
    // A server that keeps the connection for whatever comes next.
    const target = createTcpServer((socket) => {
      socket.on("data", (bytes: Buffer) => {
        seen.push(bytes.toString());
        if (seen.length === 1) socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
      });
    });
    const url = await proxyOf("record", await targetOf(target));
    const socket = connect(Number(url.port), "127.0.0.1");
    socket.write(shake(url) + smuggled);
    socket.once("data", () => socket.write(smuggled));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*\r\n\r\nok$/);
    expect(seen.join("")).not.toContain("smuggled");
    await expect.poll(() => lines().exchanges.map(({ answer }) => answer?.body.text)).toEqual(["ok"]);
  });

  it("that is accepted passes the messages that came with it", async () => {
    const server = gateway();
    const heard: string[] = [];
    new WebSocketServer({ server: server as never }).on("connection", (socket) => {
      socket.on("message", (data: Buffer) => {
        heard.push(String(data));
        socket.terminate();
      });
    });
    const url = await proxyOf("record", await targetOf(server));
    const socket = connect(Number(url.port), "127.0.0.1");
    socket.write(Buffer.concat([Buffer.from(shake(url)), Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0x68, 0x69])]));
    expect(await text(socket.on("error", () => undefined))).toMatch(/^HTTP\/1\.1 101 /);
    expect(heard).toEqual(["hi"]);
    expect(lines().frames.map(({ from, body }) => [from, body.text])).toContainEqual(["client", "hi"]);
  });

  it("for another Host, and one to a gateway that is not there, get an answer", async () => {
    const url = await proxyOf("record", "http://127.0.0.1:9/api");
    expect(await said(url, shake(url).replace(/Host: .*/, "Host: evil.example"))).toMatch(/^HTTP\/1\.1 403 /);
    expect(await said(url, shake(url))).toMatch(/^HTTP\/1\.1 502 [^]*ECONNREFUSED/);
    await expect
      .poll(() => lines().exchanges.map(({ problem }) => problem))
      .toEqual([expect.stringContaining("no answer")]);
  });
});
