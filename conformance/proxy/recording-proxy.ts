import type { IncomingMessage, ServerResponse } from "node:http";
import type { Pool } from "undici";
import { connectorTo } from "../client/connect.ts";
import { SafetyStop } from "../model/outcome.ts";
import { isLoopback } from "../model/profile.ts";
import { KeyNames, type KnownKey } from "../recording/key-names.ts";
import type { RecordingEnd } from "../recording/recording.ts";
import { RecordingFile } from "../recording/recording-file.ts";
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
import { Recorder, type SeenAnswer, type SeenEnd } from "./recorder.ts";
import { isThisMachine } from "./refusal.ts";
import { relayStream, responseOn } from "./relay-stream.ts";
import { onHandshake, takePath } from "./standard-requests.ts";

export interface RecordingProxyOptions {
  readonly target: string;
  readonly file: string;
  /** Keys whose names are known; the others are numbered. */
  readonly keys?: readonly KnownKey[];
  readonly host?: string;
  readonly port?: number;
  readonly mostBytes?: number;
  /** Milliseconds after which a caller that takes nothing of its answer is given up. */
  readonly mostUnreadMs?: number;
  readonly notice: (sentence: string) => void;
}

export interface RecordingProxy {
  /** Base address for the client, with the path of the target. */
  readonly url: string;
  /** Ends connections and file. */
  readonly close: () => Promise<RecordingEnd>;
}

const nothingDropped: ReadonlySet<string> = new Set();

/**
 * A recording reverse proxy. The path, the query, the body and the headers of a client arrive as they left, in their
 * order, except those that belong to one connection, such as Host, and the offer to compress a WebSocket. None of them
 * is signed. Redirects are returned and not followed; an answer is passed on while it comes.
 *
 * It listens on this machine only, and takes no Host that is not this machine: a page in a browser must not reach a
 * target behind it by a name of its own.
 */
export async function startRecordingProxy(options: RecordingProxyOptions): Promise<RecordingProxy> {
  const host = options.host ?? "127.0.0.1";
  if (!isLoopback(host)) throw new SafetyStop(`the recorder listens on this machine only, not on ${host}`);
  const base = targetOf(options.target);
  if (!isLoopback(base.hostname) && base.protocol !== "https:")
    throw new SafetyStop(`${base.hostname} is not on this machine: use https`);
  const connect = connectorTo(base);
  const { file, notice, mostBytes: most } = options;
  const { createServer } = await import("node:http");
  const server = createServer();
  const origin = await listen(server, options.port ?? 0, host);
  const recorder = recorderOf(
    { file, notice, target: base.href, ...(most === undefined ? {} : { most }) },
    options,
  );
  const pool = poolTo(base, connect);
  const streams = new Set<() => void>();
  server.requestTimeout = 0;
  const unreadMs = options.mostUnreadMs ?? mostUnreadMs;
  server.on("request", (request, response) => {
    takePath(request);
    if (isOwn(request, response)) void forward(request, response, pool, recorder, unreadMs);
  });
  onHandshake(server, (request, socket, head) => {
    if (isThisMachine(request.headers.host ?? ""))
      relayStream({ request, socket, head, base, connect, recorder, unreadMs, streams });
    else isOwn(request, responseOn(request, socket));
  });
  return {
    url: `${origin}${base.pathname}`,
    close: async () => {
      for (const end of streams) end();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await pool.destroy();
      return recorder.end();
    },
  };
}

/** The file is made once the port is ours, so that a start that fails leaves none. */
const recorderOf = (
  file: ConstructorParameters<typeof RecordingFile>[0],
  { keys = [] }: RecordingProxyOptions,
): Recorder => new Recorder(new RecordingFile(file), new KeyNames(keys));

/** Otherwise the request is refused. */
function isOwn({ headers, url }: IncomingMessage, response: ServerResponse): boolean {
  const isHere = isThisMachine(headers.host ?? "");
  if (isHere && url?.startsWith("/") === true) return true;
  if (isHere) refuse(response, 400, "gatewright record: the request target is a path");
  else refuse(response, 403, "gatewright record: the recorder accepts only this machine as the Host");
  return false;
}

async function forward(
  request: IncomingMessage,
  response: ServerResponse,
  pool: Pool,
  recorder: Recorder,
  unreadMs: number,
): Promise<void> {
  const { method = "GET", url: target = "/", rawHeaders } = request;
  const exchange = recorder.begin({ method, target, headers: pairs(rawHeaders) });
  const gone = goneOf(response);
  let seen: SeenAnswer | undefined;
  try {
    const answer = await pool.request({
      method: method as "GET",
      path: target,
      body: hasBody(request) ? request.on("data", exchange.request.look).pause() : null,
      headers: [...passedOn(rawHeaders, nothingDropped), ...lengthOf(request)],
      responseHeaders: "raw",
      signal: gone,
    });
    const headers = rawHeadersOf(answer.headers);
    const answered = (seen = { status: answer.statusCode, headers: pairs(headers) });
    response.writeHead(answer.statusCode, passedBack(headers));
    response.once("close", () =>
      exchange.end(response.writableFinished ? { answer: answered } : cutIn(answered)),
    );
    await passBody(answer.body as AsyncIterable<Buffer>, response, gone, unreadMs, exchange.answer.look);
  } catch (error) {
    if (seen !== undefined) exchange.end(cutIn(seen));
    else if (gone.aborted) exchange.end({ problem: "the client left before the answer" });
    else exchange.end({ problem: `no answer: ${(error as Error).message}` });
    abandon(response, error as NodeJS.ErrnoException);
  }
}

const cutIn = (answer: SeenAnswer): SeenEnd => ({
  answer,
  problem: "the connection ended within the answer",
});

/** The client sees what it would have seen without the recorder, except when there is no gateway at all. */
function abandon(response: ServerResponse, { code = "", message }: NodeJS.ErrnoException): void {
  if (!response.headersSent && unreachable.has(code))
    refuse(response, 502, `gatewright record: the gateway cannot be reached: ${message}`);
  else response.destroy();
}

const unreachable: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
]);

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;

/** A body keeps its framing: with a length, or in chunks. */
const lengthOf = ({ headers }: IncomingMessage): string[] =>
  Number(headers["content-length"] ?? 0) > 0 ? ["content-length", headers["content-length"] ?? ""] : [];
