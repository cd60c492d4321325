/** Clients for tests: one that signs and is well behaved, and one that writes bytes to a socket. */
import { randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { sign, type ToSign } from "../../auth/testing/sign.ts";
import { apiPrefix, type TestServer } from "./server.ts";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed body; empty when there is none. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ToSend extends Partial<ToSign> {
  /** Replaces, adds or (undefined) takes away headers after signing. */
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Sends these bytes, with any signature. */
  readonly sentBody?: string | Uint8Array;
  /** Sends to this target, with any signature. */
  readonly target?: string;
}

/** The four headers and Content-Type. */
export function signedHeaders(server: TestServer, request: ToSend): Record<string, string> {
  const {
    timestamp = server.venue.clock.now,
    nonce = randomUUID(),
    path = `${apiPrefix}/order/open`,
  } = request;
  const sent = sign({ ...request, timestamp, nonce, path });
  return {
    "X-API-KEY": sent.keyId,
    "X-API-TIMESTAMP": sent.timestamp,
    "X-API-NONCE": sent.nonce,
    "X-API-SIGNATURE": sent.signature,
    "Content-Type": "application/json",
  };
}

export function send(server: TestServer, request: ToSend = {}): Promise<Reply> {
  const body = request.sentBody ?? request.body;
  const headers: Record<string, string | readonly string[] | undefined> = {
    ...signedHeaders(server, request),
    ...(body === undefined ? {} : { "Content-Length": String(Buffer.byteLength(body)) }),
    ...request.headers,
  };
  const present = Object.entries(headers).filter(([, value]) => value !== undefined);
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest(
      {
        host: "127.0.0.1",
        port: server.port,
        method: request.method ?? "GET",
        path: request.target ?? request.path ?? `${apiPrefix}/order/open`,
        // as: undefined values are filtered out, and Node takes lists for repeated headers.
        headers: Object.fromEntries(present) as Record<string, string | string[]>,
        agent: false,
      },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
        incoming.on("end", () => {
          const text = Buffer.concat(chunks).toString("utf8");
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            text,
            // as: every body of this server is one JSON object.
            body: (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>,
          });
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

export const place = (server: TestServer, body: string | Uint8Array, more: ToSend = {}): Promise<Reply> =>
  send(server, { method: "POST", path: `${apiPrefix}/order`, body, ...more });

/** A whole request as text, signed; for sockets. */
export function requestText(server: TestServer, request: ToSend = {}): string {
  const { method = "GET", path = `${apiPrefix}/order/open` } = request;
  const body = request.sentBody ?? request.body ?? "";
  const headers: ToSend["headers"] = {
    Host: `127.0.0.1:${server.port}`,
    ...signedHeaders(server, { ...request, path }),
    ...(body.length === 0 ? {} : { "Content-Length": String(Buffer.byteLength(body)) }),
    ...request.headers,
  };
  const lines = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return [value].flat().map((each) => `${name}: ${each}`);
  });
  const head = [`${method} ${request.target ?? path} HTTP/1.1`, ...lines].join("\r\n");
  return `${head}\r\n\r\n${Buffer.from(body).toString("latin1")}`;
}

export interface RawConversation {
  readonly socket: Socket;
  /** Everything received so far. */
  readonly text: () => string;
  readonly statuses: () => number[];
  readonly closed: Promise<void>;
  /** Resolves as soon as the received text matches. */
  readonly until: (pattern: RegExp) => Promise<string>;
}

/** Writes the bytes and listens. With `allowHalfOpen` it does not close when the server does. */
export function converse(port: number, bytes: string | Buffer = "", allowHalfOpen = false): RawConversation {
  const socket = connect({ host: "127.0.0.1", port, allowHalfOpen });
  let received = "";
  socket.on("data", (chunk: Buffer) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  if (bytes.length > 0) socket.write(bytes);
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => resolve());
  });
  const until = async (pattern: RegExp): Promise<string> => {
    while (!pattern.test(received)) {
      if (socket.destroyed) throw new Error(`closed before ${pattern} came; received: ${received}`);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return received;
  };
  const statuses = (): number[] =>
    [...received.matchAll(/HTTP\/1\.1 ([0-9]{3})/g)].map((match) => Number(match[1]));
  return { socket, text: () => received, statuses, closed, until };
}

/** Writes the bytes and waits until the server has closed. */
export async function conversation(port: number, bytes: string | Buffer): Promise<string> {
  const talk = converse(port, bytes);
  await talk.closed;
  return talk.text();
}

/** Waits until it is true; the test's own time limit ends the wait. */
export async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
