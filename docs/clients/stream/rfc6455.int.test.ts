/** The WebSocket of the Python client against one of another hand, and against servers that break the protocol. */
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { type WebSocket, WebSocketServer } from "ws";
import { sampled } from "../../../tools/sampled.ts";

const python = describe.skipIf(spawnSync("python3", ["--version"], { stdio: "ignore" }).error !== undefined);

const closing: (() => unknown)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Says back what it is told, and in the end how the connection ended. */
const program = `
import sys
from rfc6455 import Closed, Refused, WebSocket
try:
    socket = WebSocket(sys.argv[1], {"X-Test": "here"}, 5)
    while True:
        socket.send(socket.receive())
except (Closed, Refused) as end:
    print(type(end).__name__, end)
`;

async function ends(url: string): Promise<string> {
  const env = { ...process.env, PYTHONPATH: import.meta.dirname, PYTHONDONTWRITEBYTECODE: "1" };
  const child = spawn("python3", ["-c", program, url], { env, stdio: ["ignore", "pipe", "pipe"] });
  closing.push(() => child.kill());
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  expect(stderr).toBe("");
  return stdout.trimEnd();
}

async function urlOf(server: Server | WebSocketServer): Promise<string> {
  if (server.address() === null) await once(server, "listening");
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
}

function serve(onConnection: (socket: WebSocket) => void): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1", maxPayload: 1_000_000 });
  closing.push(() => server.close());
  server.on("connection", onConnection);
  return urlOf(server);
}

python("The WebSocket of the Python client", () => {
  it.each(
    sampled(3, [
      ["an empty message", ""],
      ["125 bytes, the longest short form", "x".repeat(125)],
      ["126 bytes", "x".repeat(126)],
      ["65535 bytes", "x".repeat(65_535)],
      ["65536 bytes", "x".repeat(65_536)],
      ["text beyond ASCII", "Grüße, 世界 🌍"],
    ]),
  )("sends and receives %s", async (_what, message) => {
    let echo: string | undefined;
    const url = await serve((socket) => {
      socket.on("message", (data: Buffer) => {
        echo = data.toString();
        socket.close(4401, "the key was disabled");
      });
      socket.send(message);
    });
    expect(await ends(url)).toBe("Closed code 4401 the key was disabled");
    expect(echo).toBe(message);
  });

  it("puts a message together, answers the ping in its middle, and confirms the close", async () => {
    const seen: unknown[] = [];
    const url = await serve((socket) => {
      socket.on("pong", (data) => seen.push(data.toString()));
      socket.on("message", (data: Buffer) => {
        seen.push(data.toString());
        socket.close(1000, "enough");
      });
      socket.on("close", (code) => seen.push(code));
      socket.send("Grü".slice(0, 2), { fin: false });
      socket.ping("are you there?");
      socket.send(Buffer.from("ü").subarray(0, 1), { fin: false, binary: false });
      socket.send(Buffer.from("ü").subarray(1), { fin: true, binary: false });
    });
    expect(await ends(url)).toBe("Closed code 1000 enough");
    await expect.poll(() => seen).toEqual(["are you there?", "Grü", 1000]);
  });

  /** Bytes after the handshake, and what the client makes of them. */
  it.each(
    sampled(4, [
      ["a masked frame", [0x81, 0x81, 0, 0, 0, 0, 0x61], 1002],
      ["a reserved bit", [0xc1, 0x01, 0x61], 1002],
      ["a long ping", [0x89, 0x7e, 0x00, 0x7e], 1002],
      ["a ping in pieces", [0x09, 0x00], 1002],
      ["the rest of nothing", [0x80, 0x00], 1002],
      ["a beginning inside a message", [0x01, 0x01, 0x61, 0x81, 0x01, 0x61], 1002],
      ["a binary message", [0x82, 0x01, 0x61], 1003],
      ["a text that is not UTF-8", [0x81, 0x01, 0xff], 1007],
      ["a frame of an exabyte", [0x81, 0x7f, 0x0f, 0, 0, 0, 0, 0, 0, 0], 1009],
      ["half a frame", [0x81, 0x05, 0x61], 1006],
      ["a close without a code", [0x88, 0x00], 1005],
    ]),
  )("ends where the server sends %s", async (_what, bytes, code) => {
    expect(await ends(await raw(Buffer.from(bytes)))).toMatch(new RegExp(`^Closed code ${code}\\b`));
  });

  it("shows why a handshake was refused, and takes no other handshake's answer for its own", async () => {
    const refused = 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 7\r\n\r\n{"a":1}';
    expect(await ends(await raw(Buffer.alloc(0), () => refused))).toBe('Refused handshake: 401 {"a":1}');
    expect(await ends(await raw(Buffer.alloc(0), () => switching("bm90IHlvdXJz")))).toMatch(
      /^Closed code 1002 .*another handshake/,
    );
  });
});

const switching = (accept: string): string =>
  `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`;

function rightAnswer(request: string): string {
  const key = /^sec-websocket-key: (.+)\r$/im.exec(request)?.[1] ?? "";
  const guid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  return switching(
    createHash("sha1")
      .update(key + guid)
      .digest("base64"),
  );
}

/** A server that answers the handshake, sends these bytes and hangs up. */
function raw(bytes: Buffer, answer: (request: string) => string = rightAnswer): Promise<string> {
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    socket.once("data", (head: Buffer) => {
      socket.write(answer(head.toString("latin1")));
      socket.end(bytes);
    });
  });
  closing.push(() => server.close());
  server.listen(0, "127.0.0.1");
  return urlOf(server);
}
