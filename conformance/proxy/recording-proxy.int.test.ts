/** The recorder before our gateways: what arrives, what is kept, and what is not. */
import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { request } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { SafetyStop } from "../model/outcome.ts";
import { UsageError } from "../model/position.ts";
import { readRecordingText } from "../recording/read-recording.ts";
import type { RecordedExchange, RecordedFrame, RecordingLine } from "../recording/recording.ts";
import { signRequest } from "../signing/sign-request.ts";
import { startFaultyGateway } from "../testing/faulty-gateway/gateway.ts";
import { type RecordingProxyOptions, startRecordingProxy } from "./recording-proxy.ts";

let folder = "";
let file = "";
const closers: (() => Promise<unknown>)[] = [];
const notices: string[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "recording-"));
  file = path.join(folder, "session.recording");
  notices.length = 0;
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
  rmSync(folder, { recursive: true });
});

async function record(target: string, options: Partial<RecordingProxyOptions> = {}) {
  const proxy = await startRecordingProxy({
    target,
    file,
    notice: (sentence) => notices.push(sentence),
    ...options,
  });
  closers.push(proxy.close);
  return proxy;
}

async function gateway(answer: RequestListener): Promise<{ url: string; server: Server }> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(
    () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/trading`, server };
}

const lines = (): RecordingLine[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as RecordingLine);
const exchanges = (): RecordedExchange[] => lines().filter((line) => line.kind === "exchange");
const frames = (): RecordedFrame[] => lines().filter((line) => line.kind === "frame");
const written = (count: number): Promise<void> =>
  expect.poll(() => lines().length).toBeGreaterThanOrEqual(count);

const keyId = "kid-of-a-client-0042";
const secret = "secret-of-that-client-0042";

function signed(method: string, target: string, body = "", with_ = { keyId, secret }) {
  const { headers } = signRequest({
    ...with_,
    timestamp: String(Date.now()),
    nonce: crypto.randomUUID(),
    method,
    path: target.split("?")[0] ?? target,
    contentType: "application/json",
    body: Buffer.from(body),
  });
  return Object.fromEntries(headers);
}

describe("the recorder", () => {
  it("leaves the signature of a client valid, and keeps request and answer", async () => {
    const stub = await startFaultyGateway();
    closers.push(stub.close);
    const { url } = await record(stub.baseUrl);
    const reply = await fetch(`${url}/order/open?product=BTC-USD`, {
      headers: signed("GET", "/api/v1/trading/order/open", "", stub),
    });
    expect(reply.status).toBe(200);
    const body = await reply.text();
    await written(2);
    expect(lines()[0]).toMatchObject({ kind: "recording", version: 1, target: stub.baseUrl });
    expect(exchanges()).toEqual([
      expect.objectContaining({
        id: 1,
        key: "key-1",
        request: expect.objectContaining({
          method: "GET",
          target: "/api/v1/trading/order/open?product=BTC-USD",
        }) as unknown,
        answer: expect.objectContaining({
          status: 200,
          body: { length: body.length, text: body },
        }) as unknown,
      }),
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("passes bytes on as they are, both ways, and keeps the beginning of long ones", async () => {
    const sent = randomBytes(300_000);
    let received: Buffer = Buffer.alloc(0);
    let heads: readonly string[] = [];
    const { url } = await gateway((request, response) => {
      const chunks: Buffer[] = [];
      heads = request.rawHeaders;
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        received = Buffer.concat(chunks);
        response.writeHead(201, { "X-Odd-Case": "Kept" }).end(received);
      });
    });
    const proxy = await record(url);
    const reply = await fetch(`${proxy.url}/order`, {
      method: "POST",
      body: new Uint8Array(sent),
      headers: { "X-Mine": "kept" },
    });
    expect(reply.status).toBe(201);
    expect(Buffer.from(await reply.arrayBuffer()).equals(sent)).toBe(true);
    expect(received.equals(sent)).toBe(true);
    expect(heads).toContain("content-length");
    expect(heads.join("\n")).toMatch(/x-mine\nkept/i);
    await written(2);
    expect(exchanges()[0]?.request.body).toMatchObject({ length: 300_000, cut: true });
  });

  it("stores no secret: neither key id, nor signature, nor what is known to be one", async () => {
    const { url } = await gateway((request, response) => {
      const { "x-api-key": key, "x-api-signature": signature } = request.headers;
      const told = JSON.stringify({ key, signature, secret, hex: Buffer.from(secret).toString("hex") });
      response.setHeader("Set-Cookie", "session=cookie-0042");
      response.setHeader("Content-Encoding", "gzip");
      response.end(gzipSync(told));
    });
    const proxy = await record(url, { keys: [{ name: "trader", keyId, secret }] });
    const headers = signed("POST", "/api/v1/trading/order", "{}");
    const signature = headers["X-API-SIGNATURE"] ?? "";
    expect(signature).toHaveLength(64);
    await fetch(`${proxy.url}/order?key=${keyId}&signature=${signature}`, {
      method: "POST",
      body: "{}",
      headers: { ...headers, Authorization: "Bearer token-0042", Cookie: "cookie-0042" },
    });
    await fetch(`${proxy.url}/order`, {
      method: "POST",
      body: JSON.stringify({ again: headers, other: "kid-unknown-0043" }),
      headers: { "X-API-KEY": "kid-unknown-0043" },
    });
    await written(3);
    const bytes = readFileSync(file, "latin1");
    for (const hidden of [keyId, "kid-unknown-0043", secret, signature, "cookie-0042", "token-0042"])
      expect(bytes).not.toContain(hidden);
    expect(bytes).not.toContain(Buffer.from(secret).toString("hex"));
    const digest = `sha256:${createHash("sha256").update(signature).digest("hex").slice(0, 16)}`;
    expect(exchanges()[0]?.request.headers.map(([, value]) => value)).toContain(digest);
    expect(exchanges().map(({ key }) => key)).toEqual(["trader", "key-2"]);
    expect(exchanges()[0]?.answer?.body.text).toContain('"key":"«trader»"');
    // The file that was written can be read again.
    expect(readRecordingText(file, readFileSync(file, "utf8")).exchanges).toHaveLength(2);
  });

  const json = JSON.stringify({ note: "a body that comes in a coding", secret });
  const zipped = gzipSync(json);

  it.each<[string, string, Buffer, object]>([
    ["gzip", "gzip", zipped, { text: json.replace(secret, "«secret of trader»") }],
    ["x-gzip", "x-gzip", zipped, { text: expect.stringContaining("comes in a coding") }],
    ["deflate of zlib", "deflate", deflateSync(json), { text: expect.stringContaining("comes in a coding") }],
    ["raw deflate", "deflate", deflateRawSync(json), { text: expect.stringContaining("comes in a coding") }],
    [
      "two codings",
      "gzip, br",
      brotliCompressSync(zipped),
      { text: expect.stringContaining("comes in a coding") },
    ],
    ["a beginning of gzip", "gzip", zipped.subarray(0, 40), { cut: true, coding: "gzip", length: 40 }],
    [
      "no gzip at all",
      "gzip",
      Buffer.from(json),
      { coding: "gzip", text: expect.stringContaining("«secret of trader»") },
    ],
    [
      "an unknown coding",
      "zstd",
      zipped,
      { coding: "zstd", length: zipped.length, base64: zipped.toString("base64") },
    ],
    ["a bomb", "gzip", gzipSync(Buffer.alloc(3_000_000)), { coding: "gzip", base64: expect.any(String) }],
  ])("keeps a body in %s as it can be read, and as it came otherwise", async (_, coding, bytes, kept) => {
    const { url } = await gateway((_request, response) => {
      response.writeHead(200, { "Content-Encoding": coding, "Content-Length": bytes.length }).end(bytes);
    });
    const proxy = await record(url, { keys: [{ name: "trader", keyId, secret }] });
    const { statusCode, body } = await request(`${proxy.url}/order/open`);
    expect(statusCode).toBe(200);
    expect(Buffer.from(await body.arrayBuffer()).equals(bytes)).toBe(true);
    await written(2);
    expect(exchanges()[0]?.answer?.body).toMatchObject(kept);
    expect(readFileSync(file, "latin1")).not.toContain(secret);
    expect(readRecordingText(file, readFileSync(file, "utf8")).exchanges).toHaveLength(1);
  });

  it("does to the client what the gateway did, and says what that was", async () => {
    const { url, server } = await gateway((request, response) => {
      if (request.url?.endsWith("/cut") === true) {
        response.writeHead(200, { "Content-Length": "100" }).write("half");
        setImmediate(() => response.destroy());
      } else response.destroy();
    });
    const proxy = await record(url);
    await expect(fetch(`${proxy.url}/gone`)).rejects.toThrow();
    await expect(fetch(`${proxy.url}/cut`).then((reply) => reply.text())).rejects.toThrow();
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
    const reply = await fetch(`${proxy.url}/late`);
    expect([reply.status, await reply.json()]).toEqual([
      502,
      expect.objectContaining({ message: expect.stringContaining("cannot be reached") as unknown }),
    ]);
    await written(4);
    expect(exchanges().map(({ answer, problem }) => [answer?.status, problem])).toEqual([
      [undefined, expect.stringContaining("no answer")],
      [200, expect.stringContaining("ended within the answer")],
      [undefined, expect.stringContaining("no answer")],
    ]);
  });

  it("notes a client that leaves before its answer", async () => {
    const leave = new AbortController();
    const { url } = await gateway(() => leave.abort());
    const proxy = await record(url);
    const asked = fetch(`${proxy.url}/slow`, { signal: leave.signal });
    await expect(asked).rejects.toThrow();
    await written(2);
    expect(exchanges()[0]?.problem).toBe("the client left before the answer");
  });

  it("serves requests side by side", async () => {
    const waiting: (() => void)[] = [];
    const { url } = await gateway((_, response) => {
      waiting.push(() => response.end());
      if (waiting.length === 3) for (const go of waiting) go();
    });
    const proxy = await record(url);
    const replies = await Promise.all([1, 2, 3].map((n) => fetch(`${proxy.url}/${n}`)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it("refuses another Host, another machine without TLS, another address to listen on, and a file that is there", async () => {
    const { url } = await gateway((_, response) => response.end());
    const proxy = await record(url);
    const socket = connect(Number(new URL(proxy.url).port), "127.0.0.1");
    socket.end("GET / HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n");
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk as Buffer);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1.1 403 /);
    await expect(record("http://gw.example/api")).rejects.toBeInstanceOf(SafetyStop);
    await expect(record(url, { host: "0.0.0.0" })).rejects.toBeInstanceOf(SafetyStop);
    await expect(record(url)).rejects.toThrow(UsageError);
    expect(exchanges()).toEqual([]);
  });

  it("passes traffic on when the file is full, says so once, and ends it with a whole line", async () => {
    const { url } = await gateway((_, response) => response.end("x".repeat(2000)));
    const proxy = await record(url, { mostBytes: 10_000 });
    for (let count = 0; count < 8; count += 1)
      expect((await fetch(`${proxy.url}/${count}`)).status).toBe(200);
    const end = await proxy.close();
    expect(end.exchanges + end.leftOut).toBe(8);
    expect(end.leftOut).toBeGreaterThan(0);
    expect(statSync(file).size).toBeLessThanOrEqual(10_000);
    expect(lines().at(-1)).toEqual(end);
    expect(notices).toEqual([expect.stringContaining("nothing more is recorded")]);
  });
});

describe("a stream", () => {
  async function streamGateway(serve: (socket: WebSocket) => void): Promise<string> {
    const { url, server } = await gateway((_, response) => response.writeHead(404).end("no stream"));
    const sockets = new WebSocketServer({ server, path: "/api/v1/trading/ws", perMessageDeflate: true });
    sockets.on("connection", serve);
    return url;
  }
  const streamOf = async (url: string, headers: Record<string, string> = {}): Promise<WebSocket> => {
    const { WebSocket: Client } = await import("ws");
    return new Client(`${url.replace("http", "ws")}/ws`, { headers, perMessageDeflate: true });
  };

  it("is passed on as it is, and every message is kept with its time", async () => {
    const long = "é".repeat(100_000);
    const url = await streamGateway((socket) => {
      socket.on("message", (data: Buffer, isBinary) => {
        socket.send(data, { binary: isBinary });
        if (data.length === 3) socket.close(4001, "enough");
      });
      socket.send(JSON.stringify({ hello: keyId }));
    });
    const proxy = await record(url);
    const socket = await streamOf(proxy.url, signed("GET", "/api/v1/trading/ws"));
    const heard: string[] = [];
    socket.on("message", (data: Buffer) => heard.push(String(data)));
    await new Promise((resolve) => socket.once("open", resolve));
    socket.send(long.slice(0, 70_000), { fin: false });
    socket.send(long.slice(70_000), { fin: true });
    socket.ping("are you there");
    socket.send(Buffer.from([0xff, 0, 1]));
    const [code] = await new Promise<[number]>((resolve) =>
      socket.once("close", (...end) => resolve([end[0]])),
    );
    expect(code).toBe(4001);
    expect(heard.slice(0, 2)).toEqual([JSON.stringify({ hello: keyId }), long]);
    await expect.poll(() => frames().filter(({ type }) => type === "close").length).toBe(2);
    const shown = frames().map(({ from, type, body }) => `${from} ${type} ${body.length}`);
    for (const wanted of ["client text 200000", "gateway text 200000", "client ping 13", "gateway pong 13"])
      expect(shown).toContain(wanted);
    expect(frames()[0]?.body.text).toBe('{"hello":"«key-1»"}');
    expect(frames().find(({ type }) => type === "binary")?.body).toEqual({ length: 3, base64: "/wAB" });
    expect(exchanges()[0]).toMatchObject({ id: 1, key: "key-1", answer: { status: 101 } });
    expect(frames().every(({ stream, at }) => stream === 1 && at > 0)).toBe(true);
  });

  it("that is refused is an exchange with its answer", async () => {
    const { url, server } = await gateway((_, response) => response.end());
    server.on("upgrade", (_, socket) =>
      socket.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno"),
    );
    const proxy = await record(url);
    const socket = await streamOf(proxy.url);
    await expect(new Promise((_, reject) => socket.once("error", reject))).rejects.toThrow("401");
    await written(2);
    expect(exchanges()[0]?.answer).toMatchObject({ status: 401, body: { text: "no" } });
  });
});
