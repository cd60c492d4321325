/** Handshakes and frames that a WebSocket library would not let the faulty gateway send. */
import { createHash } from "node:crypto";
import { repeatedly, type StreamBehaviour } from "./hostile-gateway.ts";

const accept = (key: string): string =>
  createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");

export function opened(key: string): string {
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept(key)}\r\n\r\n`;
}

/** One frame as a server sends it: not masked. */
export function frame(opcode: number, payload: Buffer | string = "", { fin = true, rsv = 0 } = {}): Buffer {
  const body = Buffer.from(payload);
  const first = (fin ? 0x80 : 0) | rsv | opcode;
  if (body.length < 126) return Buffer.concat([Buffer.from([first, body.length]), body]);
  const head = Buffer.alloc(body.length < 65_536 ? 4 : 10);
  head[0] = first;
  head[1] = body.length < 65_536 ? 126 : 127;
  if (body.length < 65_536) head.writeUInt16BE(body.length, 2);
  else head.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([head, body]);
}

const text = 1;
const ping = 9;

/** Sends the beginning, and then the same again and again while the client listens. */
function forever(part: Buffer, pauseMs = 0, first: Buffer = Buffer.alloc(0)): StreamBehaviour["upgrade"] {
  return (socket, key) => repeatedly(socket, Buffer.concat([Buffer.from(opened(key)), first]), part, pauseMs);
}

const says =
  (...frames: readonly Buffer[]): StreamBehaviour["upgrade"] =>
  (socket, key) => {
    socket.write(Buffer.concat([Buffer.from(opened(key)), ...frames]));
  };

const many = (part: Buffer, times: number): Buffer =>
  Buffer.concat(Array.from({ length: times }, () => part));
const hundred = (part: Buffer): Buffer => many(part, 100);

export const streamBehaviours: readonly StreamBehaviour[] = (
  [
    ["never answers the handshake", () => undefined],
    [
      "a head now and then",
      (socket) => repeatedly(socket, "HTTP/1.1 101 Switching Protocols\r\n", "X: 1\r\n", 10),
    ],
    ["a wrong accept key", (socket) => socket.write(opened("another key"))],
    [
      "no accept key",
      (socket) => socket.write("HTTP/1.1 101 X\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n"),
    ],
    ["an upgrade to something else", (socket, key) => socket.write(opened(key).replace("websocket", "irc"))],
    [
      "a compression without a request",
      (socket, key) =>
        socket.write(
          opened(key).replace("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n"),
        ),
    ],
    [
      "a protocol without a request",
      (socket, key) => socket.write(opened(key).replace("\r\n\r\n", "\r\nSec-WebSocket-Protocol: x\r\n\r\n")),
    ],
    ["an endless refusal", (socket) => repeatedly(socket, "HTTP/1.1 401 No\r\n\r\n", "x".repeat(10_000), 10)],
    ["200 in place of an upgrade", (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")],
    [
      "a redirect",
      (socket) => socket.end("HTTP/1.1 307 Go\r\nLocation: ws://localhost:1/x\r\nContent-Length: 0\r\n\r\n"),
    ],
    ["no HTTP at all", (socket) => socket.end("SSH-2.0-OpenSSH\r\n\r\n")],
    ["a reset", (socket) => socket.resetAndDestroy()],
    ["endless messages", forever(hundred(frame(text, "x".repeat(1000))))],
    ["endless empty messages", forever(hundred(frame(text)))],
    ["endless nested JSON", forever(hundred(frame(text, "[".repeat(500))))],
    [
      "fragments for ever",
      forever(hundred(frame(0, "", { fin: false })), 0, frame(text, "a", { fin: false })),
    ],
    [
      "large fragments for ever",
      forever(frame(0, "x".repeat(60_000), { fin: false }), 0, frame(text, "a", { fin: false })),
    ],
    ["a flood of pings", forever(hundred(frame(ping, "p".repeat(100))))],
    ["a byte of a frame now and then", forever(Buffer.from("a"), 20, Buffer.from([0x81, 126, 0xff, 0xff]))],
    [
      "a close in the middle of a frame",
      (socket, key) => socket.end(Buffer.concat([Buffer.from(opened(key)), Buffer.from([0x81, 100, 0x61])])),
    ],
    ["invalid UTF-8", says(frame(text, Buffer.from([0xff, 0xfe, 0xc0])))],
    ["a length of 2^40", says(Buffer.from([0x82, 127, 0, 0, 1, 0, 0, 0, 0, 0]))],
    ["a length of 2^63", says(Buffer.from([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]))],
    ["masked frames", says(Buffer.from([0x81, 0x81, 1, 2, 3, 4, 5]))],
    ["a reserved bit", says(frame(text, "x", { rsv: 0x40 }))],
    ["a reserved opcode", says(frame(5, "x"))],
    ["a continuation of nothing", says(frame(0, "x"))],
    ["a ping of 200 bytes", says(frame(ping, "p".repeat(200)))],
    ["a close code that does not exist", says(frame(8, Buffer.from([0, 1])))],
    ["a close of one byte", says(frame(8, Buffer.from([3])))],
    ["a message after its close", says(frame(8, Buffer.from([0x03, 0xe8])), frame(text, "late"))],
    ["a binary message", says(frame(2, Buffer.from([0, 1, 2])))],
    [
      "prototype keys",
      says(
        frame(
          text,
          '{"__proto__":{"polluted":1},"type":"update","constructor":{"prototype":{"polluted":1}}}',
        ),
      ),
    ],
    ["never answers a close", says()],
  ] satisfies readonly (readonly [string, StreamBehaviour["upgrade"]])[]
).map(([name, upgrade]) => ({ name, upgrade }));
