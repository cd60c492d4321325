import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "undici";
import { pinnedLookup } from "../client/address.ts";
import { SafetyStop } from "../model/outcome.ts";
import { UsageError } from "../model/position.ts";
import { isLoopback } from "../model/profile.ts";
import { signatureHeaders, signRequest } from "../signing/sign-request.ts";
import { pathBehind, refusalOf } from "./refusal.ts";

export interface SigningProxyOptions {
  readonly target: string;
  readonly keyId: string;
  readonly secret: string;
  readonly host?: string;
  readonly port?: number;
  /** Remote hosts that may receive signed requests; https only. */
  readonly allowHosts?: readonly string[];
  /** The first segment of every path; a new one at each start by default. */
  readonly token?: string;
}

export interface SigningProxy {
  /** The address with the token: a caller that knows it can trade. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The largest request body. The hash is sent in a header, so the whole body has to be read before it can be sent. */
const maxBody = 8 * 1024 * 1024;

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

/**
 * A signing reverse proxy: a tool that cannot sign (a browser, Postman, a fuzzer) becomes a valid client.
 *
 * Invariants: it listens on this machine only, because a caller that reaches it can trade; it signs no request that
 * refusal.ts refuses; the path after the token and the body are forwarded byte for byte; redirects are returned and not
 * followed; the answer is streamed.
 */
export async function startSigningProxy(options: SigningProxyOptions): Promise<SigningProxy> {
  const host = options.host ?? "127.0.0.1";
  if (!isLoopback(host))
    throw new SafetyStop(
      `the proxy signs for everyone who can reach it, so it listens on this machine only, not on ${host}`,
    );
  const token = options.token ?? randomBytes(16).toString("base64url");
  if (!/^[A-Za-z0-9_-]{16,200}$/.test(token))
    throw new UsageError("a token is 16 to 200 letters, digits, - and _");
  const base = baseOf(options);
  const client = new Client(base.origin, {
    pipelining: 1,
    connect: { lookup: pinnedLookup(base.hostname) },
  });
  // Loaded on demand: from Node 22 on this module also loads a WebSocket client.
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    const { url: target = "/", method = "GET", rawHeaders } = request;
    const refusal = refusalOf({ target, method, rawHeaders }, token, base.pathname);
    if (refusal !== undefined) return refuse(response, refusal.status, refusal.message);
    const path = pathBehind(target, token) ?? "/";
    forward(request, path, response, client, options).catch((error: unknown) =>
      refuse(response, 502, (error as Error).message),
    );
  });
  await listen(server, options.port ?? 0, host);
  const { port } = server.address() as AddressInfo;
  const shown = host.includes(":") ? `[${host}]` : host;
  return {
    url: `http://${shown}:${port}/${token}${base.pathname}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await client.destroy();
    },
  };
}

function baseOf({ target, allowHosts = [] }: SigningProxyOptions): URL {
  const base = URL.canParse(target) ? new URL(target) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol))
    throw new UsageError(`"${target}" is not an http or https URL`);
  if (base.username !== "" || base.search !== "")
    throw new UsageError("the target must not contain a user or a query");
  if (!isLoopback(base.hostname) && (!allowHosts.includes(base.hostname) || base.protocol !== "https:")) {
    throw new SafetyStop(`${base.hostname} is not on this machine: name it with --allow-host and use https`);
  }
  base.pathname = base.pathname.replace(/\/+$/, "");
  return base;
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      reject(error.code === "EADDRINUSE" ? new UsageError(`port ${port} is in use`) : error);
    });
    server.listen(port, host, resolve);
  });
}

async function forward(
  request: IncomingMessage,
  target: string,
  response: ServerResponse,
  client: Client,
  options: SigningProxyOptions,
): Promise<void> {
  const body = await bodyOf(request);
  if (body === undefined) return refuse(response, 413, `a body is at most ${maxBody} bytes long`);
  const method = request.method ?? "GET";
  const signed = signRequest({
    keyId: options.keyId,
    secret: options.secret,
    timestamp: String(Date.now()),
    nonce: randomUUID(),
    method,
    path: target.split("?")[0] ?? target,
    contentType: "application/json",
    body,
  });
  const answer = await client.request({
    method: method as "GET",
    path: target,
    body: body.length > 0 ? body : null,
    headers: [...passedOn(request.rawHeaders), ...signed.headers.flat()],
    responseHeaders: "raw",
  });
  response.writeHead(
    answer.statusCode,
    passedBack(answer.headers as unknown as readonly (string | Buffer)[]),
  );
  for await (const chunk of answer.body as AsyncIterable<Buffer>) {
    if (!response.write(chunk))
      await new Promise((resolve) => response.once("drain", resolve).once("close", resolve));
    if (response.destroyed) return;
  }
  response.end();
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The caller's headers, without those of the connection and those that the proxy sets. */
function passedOn(raw: readonly string[]): string[] {
  const own = new Set([...Object.values(signatureHeaders), "Content-Type"].map((name) => name.toLowerCase()));
  const named = new Set(connectionNames(raw));
  return pairs(raw)
    .filter(([name]) => {
      const lower = name.toLowerCase();
      return !hopByHop.has(lower) && !own.has(lower) && !named.has(lower);
    })
    .flat();
}

function passedBack(raw: readonly (string | Buffer)[]): string[] {
  const texts = raw.map((part) => (typeof part === "string" ? part : part.toString("latin1")));
  return pairs(texts)
    .filter(([name]) => name.toLowerCase() === "content-length" || !hopByHop.has(name.toLowerCase()))
    .flat();
}

/** `Connection: close, X-Foo` makes X-Foo a header of the connection, too. */
function connectionNames(raw: readonly string[]): string[] {
  return pairs(raw)
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.toLowerCase().split(/\s*,\s*/));
}

function pairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ""]] : [],
  );
}

function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) response.destroy();
  else
    response
      .writeHead(status, { "content-type": "application/json", connection: "close" })
      .end(JSON.stringify({ statusCode: status, success: false, message: `gatewright proxy: ${message}` }));
}
