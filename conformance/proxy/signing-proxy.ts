import { randomBytes, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Pool } from "undici";
import { connectorTo } from "../client/connect.ts";
import { TargetClock } from "../client/target-clock.ts";
import { SafetyStop } from "../model/outcome.ts";
import { UsageError } from "../model/position.ts";
import { isLoopback } from "../model/profile.ts";
import { signatureHeaders, signRequest } from "../signing/sign-request.ts";
import {
  goneOf,
  listen,
  mostUnreadMs,
  pairs,
  passBody,
  passedBack,
  passedOn,
  poolTo,
  rawHeadersOf,
  refuse,
  targetOf,
} from "./forwarding.ts";
import { pathBehind, refusalOf } from "./refusal.ts";
import { onHandshake, takePath } from "./standard-requests.ts";

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
  /** Milliseconds after which a caller that takes nothing of its answer is given up. */
  readonly mostUnreadMs?: number;
}

export interface SigningProxy {
  /** The address with the token: a caller that knows it can trade. */
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** The largest request body. The hash is sent in a header, so the whole body has to be read before it can be sent. */
const maxBody = 8 * 1024 * 1024;

/**
 * A signing reverse proxy: a tool that cannot sign (a browser, Postman, a fuzzer) becomes a valid client.
 *
 * Invariants: it listens on this machine only, because a caller that reaches it can trade; it signs no request that
 * refusal.ts refuses; the path after the token and the body are forwarded byte for byte; redirects are returned and not
 * followed; the answer is streamed. A request that is refused because of the clock is signed once more, by that of the
 * target.
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
  const pool = poolTo(base, connectorTo(base));
  const upstream = { pool, clock: new TargetClock(), options };
  // Loaded on demand: from Node 22 on this module also loads a WebSocket client.
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    takePath(request);
    const { url: target = "/", method = "GET", rawHeaders } = request;
    const refusal = refusalOf({ target, method, rawHeaders }, token, base.pathname);
    if (refusal !== undefined) return says(response, refusal.status, refusal.message);
    const path = pathBehind(target, token) ?? "/";
    forward(request, path, response, upstream).catch((error: unknown) =>
      says(response, 502, (error as Error).message),
    );
  });
  onHandshake(server);
  const origin = await listen(server, options.port ?? 0, host);
  return {
    url: `${origin}/${token}${base.pathname}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await pool.destroy();
    },
  };
}

interface Upstream {
  readonly pool: Pool;
  readonly clock: TargetClock;
  readonly options: SigningProxyOptions;
}

function baseOf({ target, allowHosts = [] }: SigningProxyOptions): URL {
  const base = targetOf(target);
  if (!isLoopback(base.hostname) && (!allowHosts.includes(base.hostname) || base.protocol !== "https:")) {
    throw new SafetyStop(`${base.hostname} is not on this machine: name it with --allow-host and use https`);
  }
  return base;
}

async function forward(
  request: IncomingMessage,
  target: string,
  response: ServerResponse,
  { pool, clock, options }: Upstream,
): Promise<void> {
  const gone = goneOf(response);
  const body = await bodyOf(request);
  if (body === undefined) return says(response, 413, `a body is at most ${maxBody} bytes long`);
  const method = request.method ?? "GET";
  const ask = async () => {
    const signed = signRequest({
      keyId: options.keyId,
      secret: options.secret,
      timestamp: String(clock.now()),
      nonce: randomUUID(),
      method,
      path: target.split("?")[0] ?? target,
      contentType: "application/json",
      body,
    });
    const {
      statusCode,
      headers,
      body: bytes,
    } = await pool.request({
      method: method as "GET",
      path: target,
      body: body.length > 0 ? body : null,
      headers: [...passedOn(request.rawHeaders, ownHeaders), ...signed.headers.flat()],
      responseHeaders: "raw",
      signal: gone,
    });
    return { status: statusCode, raw: rawHeadersOf(headers), bytes };
  };
  let answer = await ask();
  if (clock.corrects({ status: answer.status, headers: pairs(answer.raw) })) {
    answer.bytes.resume();
    answer = await ask();
  }
  response.writeHead(answer.status, passedBack(answer.raw));
  const unreadMs = options.mostUnreadMs ?? mostUnreadMs;
  await passBody(answer.bytes as AsyncIterable<Buffer>, response, gone, unreadMs);
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

/** The headers that the proxy sets itself. */
const ownHeaders: ReadonlySet<string> = new Set(
  [...Object.values(signatureHeaders), "Content-Type"].map((name) => name.toLowerCase()),
);

const says = (response: ServerResponse, status: number, message: string): void =>
  refuse(response, status, `gatewright proxy: ${message}`);
