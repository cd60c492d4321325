import type { AddressInfo } from "node:net";
import { createServer, type Server, type Socket } from "node:net";
import { gzipSync } from "node:zlib";

/**
 * A target that means harm, byte by byte: what an HTTP server library would not let it say. Reads are answered well
 * unless the behaviour is for reads, so that a run gets as far as placing orders.
 */
export type Answer = (socket: Socket, request: string) => void;

export interface Behaviour {
  readonly name: string;
  /** `all`: every answer but the first two, so that a run begins. */
  readonly on: "reads" | "orders" | "all";
  readonly answer: Answer;
}

const good = '{"statusCode":200,"success":true,"data":[]}';
const order = '{"statusCode":200,"success":true,"data":{"type":"NEW_ORDER","order":{"id":"1"}}}';

function reply(body: string | Buffer, headers: readonly string[] = [], status = "200 OK"): Buffer {
  const bytes = Buffer.from(body);
  const lines = [
    `HTTP/1.1 ${status}`,
    "Content-Type: application/json",
    ...(headers.some((header) => /^(?:content-length|transfer-encoding)/i.test(header))
      ? []
      : [`Content-Length: ${bytes.length}`]),
    "Connection: close",
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
}

const says =
  (body: string | Buffer, headers: readonly string[] = [], status?: string): Answer =>
  (socket) => {
    socket.end(reply(body, headers, status));
  };

/** Goes on until the other side has had enough. */
const forever =
  (head: string | Buffer, part: string | Buffer, pauseMs: number): Answer =>
  (socket) => {
    socket.write(head);
    const timer = setInterval(() => {
      if (socket.writableLength < 1_000_000) socket.write(part);
    }, pauseMs);
    socket.on("close", () => clearInterval(timer));
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

/** What is legal and odd: a target may do this, and the kit has to be able to read it. */
export const legal: readonly Behaviour[] = (
  [
    [
      "HTTP/1.0",
      (socket: Socket) =>
        socket.end(reply(good).toString("latin1").replace("HTTP/1.1", "HTTP/1.0"), "latin1"),
    ],
    ["gzip that nobody asked for", says(gzipSync(good), ["Content-Encoding: gzip"])],
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

export interface HostileTarget {
  readonly baseUrl: string;
  readonly requests: () => number;
  readonly close: () => Promise<void>;
}

export async function startHostileTarget({
  on,
  answer,
}: Pick<Behaviour, "on" | "answer">): Promise<HostileTarget> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // The kit hangs up on most of what is said here.
    socket.on("error", () => undefined);
    let head = "";
    let answered = false;
    socket.on("data", (bytes) => {
      head += bytes.toString("latin1");
      if (answered || !isWhole(head)) return;
      answered = true;
      requests += 1;
      const read = /^(?:GET|DELETE)/.test(head);
      if (on === "all" ? requests > 2 : read === (on === "reads")) answer(socket, head);
      else socket.end(reply(read ? good : order));
    });
  });
  await listening(server);
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/trading`,
    requests: () => requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function isWhole(text: string): boolean {
  const end = text.indexOf("\r\n\r\n");
  const length = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0);
  return end !== -1 && text.length >= end + 4 + length;
}

function listening(server: Server): Promise<void> {
  return new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
}
