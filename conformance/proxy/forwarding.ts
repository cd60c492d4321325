/** The parts that both proxies share: the address of the target, headers and bodies that are passed on, refusals of their own. */
import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Pool } from "undici";
import type { Connector } from "../client/connect.ts";
import { UsageError } from "../model/position.ts";

/** RFC 9110 7.6.1: these headers belong to one connection and are not forwarded. `Host` is that of the target. */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "host",
  "content-length",
  "expect",
]);

/** The base address of a gateway, without a slash at its end. */
export function targetOf(target: string): URL {
  const base = URL.canParse(target) ? new URL(target) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new UsageError(`"${target}" is not an http or https URL`);
  if (base.username !== "" || base.search !== "")
    throw new UsageError("the target must not contain a user or a query");
  base.pathname = base.pathname.replace(/\/+$/, "");
  return base;
}

/** Listens, and gives the origin under which the proxy is reached. */
export async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new UsageError(`port ${port} is in use`) : error);
    });
    server.listen(port, host, resolve);
  });
  const shown = host.includes(":") ? `[${host}]` : host;
  return `http://${shown}:${(server.address() as AddressInfo).port}`;
}

/** The caller's headers, without those of the connection and those that are dropped. */
export function passedOn(raw: readonly string[], dropped: ReadonlySet<string>): string[] {
  const named = new Set(connectionNames(raw));
  return pairs(raw)
    .filter(([name]) => {
      const lower = name.toLowerCase();
      return !hopByHop.has(lower) && !dropped.has(lower) && !named.has(lower);
    })
    .flat();
}

export function passedBack(raw: readonly string[]): string[] {
  return pairs(raw)
    .filter(([name]) => name.toLowerCase() === "content-length" || !hopByHop.has(name.toLowerCase()))
    .flat();
}

/** The headers of an answer of undici, asked for with `responseHeaders: "raw"`. */
export function rawHeadersOf(headers: unknown): string[] {
  // as: the type describes the other form of the answer.
  return (headers as readonly (string | Buffer)[]).map((part) =>
    typeof part === "string" ? part : part.toString("latin1"),
  );
}

/** The connections to a target: requests do not wait for each other, and each for as long as its caller does. */
export const poolTo = (base: URL, connect: Connector): Pool =>
  new Pool(base.origin, {
    pipelining: 1,
    connections: 256,
    connect,
    headersTimeout: 0,
    bodyTimeout: 0,
  });

/** Aborted when the caller is gone: what is done for it ends, and frees its connection to the target. */
export function goneOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  return gone.signal;
}

/** A caller that takes nothing of its answer for so long is given up: its connection to the target is needed. */
export const mostUnreadMs = 60_000;

/** Writes the body of an answer as fast as the caller takes it; rejects when the caller is gone, or does not read. */
export async function passBody(
  body: AsyncIterable<Buffer>,
  response: ServerResponse,
  gone: AbortSignal,
  unreadMs: number,
  look: (chunk: Buffer) => void = () => undefined,
): Promise<void> {
  for await (const chunk of body) {
    look(chunk);
    if (response.write(chunk)) continue;
    const idle = setTimeout(() => response.destroy(), unreadMs);
    await once(response, "drain", { signal: gone }).finally(() => clearTimeout(idle));
  }
  response.end();
}

/** `Connection: close, X-Foo` makes X-Foo a header of the connection, too. */
function connectionNames(raw: readonly string[]): string[] {
  return pairs(raw)
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
}

/** Names and values in turn, as Node gives them, as pairs. */
export function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ""]] : [],
  );
}

/** An answer of the proxy itself. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) response.destroy();
  else
    response
      .writeHead(status, { "content-type": "application/json", connection: "close" })
      .end(JSON.stringify({ statusCode: status, success: false, message }));
}
