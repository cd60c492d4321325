/** Answers that an HTTP server library would not let the faulty gateway give, and a few that are legal and odd. */
import type { Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { type Behaviour, good, order, repeatedly, reply } from "./hostile-gateway.ts";

type Answer = Behaviour["answer"];

const says =
  (body: string | Buffer, headers: readonly string[] = [], status?: string): Answer =>
  (socket) => {
    socket.end(reply(body, headers, status));
  };

const forever =
  (head: string, part: string, pauseMs: number): Answer =>
  (socket) => {
    repeatedly(socket, head, part, pauseMs);
  };

const megabyte = 1024 * 1024;
const filled = (open: string, part: string, bytes: number, close: string): string =>
  `{"statusCode":200,"success":true,"data":${open}${part.repeat(Math.floor((bytes - 100) / part.length))}${close}}`;

const message = (text: string): string => JSON.stringify({ statusCode: 400, success: false, message: text });
const deep = (depth: number): string => `{"data":${"[".repeat(depth)}${"]".repeat(depth)}}`;
const manyOrders = (): string =>
  JSON.stringify({
    statusCode: 200,
    success: true,
    data: Array.from({ length: 3000 }, (_, n) => ({
      id: String(n),
      productId: "BTC-USD",
      side: "BUY",
      clientOrderId: "3b241101-e2bb-4255-8caf-4136c566a962",
      type: "LIMIT",
      status: "OPEN",
      synced: false,
    })),
  });

/** Terminal escapes, bidirectional marks, CI commands, markup, spreadsheet formulas, and lies about the outcome. */
export const poison = [
  "\u001b[2J\u001b]0;owned\u0007\u009b31m\u007f\u202egnp\u2028",
  "\n::error file=x::owned\n##vso[task.complete]",
  "</script><img src=x onerror=alert(1)>\"'><svg/onload=1>",
  "=1+1|cmd CONFORMANT exit code 0 PASSED ]]> &xxe; \u0000\ud800",
].join("");

const everywhere: readonly (readonly [string, Answer])[] = [
  [
    "an endless body",
    forever("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[", "1,".repeat(100_000), 1),
  ],
  ["a byte now and then", forever("HTTP/1.1 200 OK\r\nContent-Length: 999999\r\n\r\n", "1", 20)],
  ["a head now and then", forever("HTTP/1.1 200 OK\r\n", "X: 1\r\n", 20)],
  ["silence", () => undefined],
  ["a close at once", (socket) => socket.destroy()],
  ["a reset", (socket) => socket.resetAndDestroy()],
  [
    "a close in mid-body",
    (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{"statusCode":'),
  ],
  [
    "a body longer than it says",
    (socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${order}`),
  ],
  ["two answers", (socket) => socket.end(Buffer.concat([reply(good), reply(order)]))],
  ["two lengths", says(good, ["Content-Length: 5", "Content-Length: 43"])],
  ["no number for a length", says(good, ["Content-Length: many"])],
  ["a chunk without a size", says("zz\r\n{}\r\n0\r\n\r\n", ["Transfer-Encoding: chunked"])],
  ["a chunk of 2^60", says("1000000000000000\r\n{}", ["Transfer-Encoding: chunked"])],
  ["a header of 20 KB", says(good, [`X-Long: ${"a".repeat(20_000)}`])],
  [
    "10000 headers",
    says(
      good,
      Array.from({ length: 10_000 }, (_, n) => `X-${n}: 1`),
    ),
  ],
  ["NUL and CR in a header", says(good, ["X-Odd: a\u0000b\rc"])],
  ["bytes that are no UTF-8", says(Buffer.from([0x7b, 0xff, 0xfe, 0xc0, 0x80, 0x7d]))],
  ["UTF-16", says(Buffer.from(order, "utf16le"))],
  ["a byte order mark", says(`\ufeff${order}`)],
  ["HTML with 200", says("<html><script>alert(1)</script>", ["Content-Type: text/html"])],
  ["numbers without measure", says(`{"statusCode":1e400,"success":-0,"data":${"9".repeat(100_000)}}`)],
  ["depth of 200000", says(deep(200_000))],
  ["8 MB of empty objects", says(filled("[", "{},", 8 * megabyte, "{}]"))],
  ["8 MB of numbers", says(filled("[", "1,", 8 * megabyte, "1]"))],
  ["1 MB of empty objects", says(filled("[", "{},", megabyte, "{}]"))],
  ["as many values as are read", says(filled("[", "{},", 89_900, "{}]"))],
  ["8 MB of one letter", says(filled('"', "a", 8 * megabyte, '"'))],
  ["1 MB of one letter", says(filled('"', "a", megabyte, '"'))],
  ["1 MB of one digit", says(filled('"', "7", megabyte, '"'))],
  ["a number of 1 MB", says(filled("", "7", megabyte, ""))],
  ["1 MB of escapes", says(filled('"', "\\u0041", megabyte, '"'))],
  ["a key of 500 KB above many objects", says(filled(`{"${"k".repeat(500_000)}":[`, "{},", 89_900, "{}]}"))],
  ["a gzip bomb", says(gzipSync(Buffer.alloc(64 * 1024 * 1024)), ["Content-Encoding: gzip"])],
  ["five codings", says(gzipSync(good), ["Content-Encoding: gzip, gzip, gzip, gzip, gzip"])],
  ["gzip that is none", says(good, ["Content-Encoding: gzip"])],
  ["100 Continue without end", forever("", "HTTP/1.1 100 Continue\r\n\r\n".repeat(100), 1)],
  ["101", says("", ["Upgrade: nothing"], "101 Switching Protocols")],
  ["a status of 999", says(good, [], "999 No")],
  ["no HTTP at all", (socket) => socket.end("SSH-2.0-OpenSSH\r\n\r\n")],
  [
    "prototype keys",
    says(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":1,"data":{"length":-1}}',
    ),
  ],
  [
    "keys that stand twice",
    says('{"statusCode":200,"statusCode":201,"success":true,"success":false,"data":[]}'),
  ],
  ["poison in a message", says(message(poison), [], "400 Bad Request")],
  ["poison as a key", says(JSON.stringify({ [poison]: poison, data: { type: poison, message: poison } }))],
  ["a date ten years off", says(good, ["Date: Tue, 01 Jan 2036 00:00:00 GMT"])],
  ["a Retry-After of a century", says(good, ["Retry-After: 999999999999"], "500 No")],
  ["everything echoed", (socket, request) => socket.end(reply(message(request), [], "400 Bad Request"))],
];

/** Legal but odd replies: a target may send them, and the kit has to be able to read them. */
export const legal: readonly Behaviour[] = (
  [
    [
      "HTTP/1.0",
      (socket: Socket) =>
        socket.end(reply(good).toString("latin1").replace("HTTP/1.1", "HTTP/1.0"), "latin1"),
    ],
    ["gzip without a request", says(gzipSync(good), ["Content-Encoding: gzip"])],
    [
      "a few interim answers",
      (socket: Socket) =>
        socket.end(
          Buffer.concat([
            Buffer.from("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n".repeat(3)),
            reply(good),
          ]),
        ),
    ],
    [
      "a body up to the close",
      (socket: Socket) => socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n${good}`),
    ],
    [
      "chunks of one byte",
      says([...good].map((byte) => `1\r\n${byte}\r\n`).join("") + "0\r\n\r\n", [
        "Transfer-Encoding: chunked",
      ]),
    ],
    ["3000 open orders", says(manyOrders())],
  ] as const
).map(([name, answer]) => ({ name, on: "reads", answer }));

export const behaviours: readonly Behaviour[] = (["reads", "orders"] as const).flatMap((on) =>
  everywhere.map(([name, answer]) => ({ name, on, answer })),
);
