import type { LookupFunction } from "node:net";
import { type Client, errors } from "undici";
import { maxBytes, readJson } from "../check/lossless-json.ts";
import type { Exchange, Reply, SentRequest, TransportOutcome } from "../model/exchange.ts";
import { Blocked, SafetyStop } from "../model/outcome.ts";
import type { Profile } from "../model/profile.ts";
import { pinnedLookup } from "./address.ts";
import { type Connector, connectorTo } from "./connect.ts";
import { Connections } from "./connections.ts";
import type { Egress, Purpose } from "./egress.ts";
import { decoded, ReplyProblem } from "./http-response.ts";
import {
  type Abandon,
  type RawAddress,
  type RawOptions,
  type RawResult,
  requestBytes,
  sendRaw,
  sendTogether,
} from "./raw-client.ts";
import { StreamAllowance, StreamSocket } from "./stream-socket.ts";

export interface SendOptions {
  readonly fresh?: boolean;
  readonly deadlineMs?: number;
  readonly purpose?: Purpose;
}

export interface OpenedStream {
  readonly exchange: Exchange;
  /** The socket, if the target has upgraded the connection. */
  readonly socket?: StreamSocket;
}

/**
 * The one way from the kit to a target. Every request passes the guards (egress.ts). Paths and headers are sent
 * unchanged: they are not normalised, and no redirect is followed. Every socket goes to the one checked address, no
 * body larger than a mebibyte is kept, and every exchange has a deadline.
 */
export class Target {
  readonly #profile: Profile;
  readonly #egress: Egress;
  readonly #lookup: LookupFunction;
  readonly #identity: readonly (readonly [string, string])[];
  readonly #connections: Connections;
  readonly #streams = new StreamAllowance();
  #streamConnect: Connector | undefined;

  /** `agent` names the kit and the run, for the operators of the target (docs/live-safety.md). */
  constructor(egress: Egress, agent: string, lookup?: LookupFunction) {
    this.#profile = egress.profile;
    this.#egress = egress;
    const { baseUrl, http, requestSource } = this.#profile;
    this.#lookup = lookup ?? pinnedLookup(baseUrl.hostname);
    this.#identity = [
      ["User-Agent", agent],
      ...Object.entries(http.headers),
      ...(requestSource === undefined ? [] : [["X-Request-Source", requestSource] as const]),
    ];
    const { timeouts } = this.#profile;
    this.#connections = new Connections(baseUrl.origin, {
      headersTimeout: timeouts.requestMs,
      bodyTimeout: timeouts.requestMs,
      connect: this.#connector(baseUrl, this.#lookup),
    });
  }

  /** The full path of the base address; paths of operations are appended to it. */
  get basePath(): string {
    return this.#profile.baseUrl.pathname;
  }

  get host(): string {
    return this.#profile.baseUrl.host;
  }

  async send(request: SentRequest, options: SendOptions = {}): Promise<Exchange> {
    await this.#egress.enter([request], options.purpose);
    const startedAt = performance.now();
    const deadlineMs = options.deadlineMs ?? this.#profile.timeouts.requestMs;
    const ask = (client: Client): Promise<Reply> => this.#request(client, request, deadlineMs);
    const { result, error } = await this.#connections.use(ask, options.fresh === true).then(
      (reply) => ({ result: { transport: "response" as const, reply }, error: undefined }),
      (reason: unknown) => ({ result: uncertainIfLost(failureOf(reason)), error: reason }),
    );
    const exchange = this.#finish(request, result, startedAt);
    if (error instanceof SafetyStop) throw error;
    return exchange;
  }

  /** Results are in the order of the requests. */
  async sendTogether(
    requests: readonly SentRequest[],
    deadlineMs: number,
    leaving: ReadonlySet<number> = new Set(),
  ): Promise<Exchange[]> {
    await this.#egress.enter(requests);
    const startedAt = performance.now();
    const bytes = requests.map((request) => requestBytes(this.#identified(request), this.host));
    const results = await sendTogether(this.#address(), bytes, deadlineMs, leaving);
    return requests.map((request, index) =>
      this.#finish(request, results[index] ?? { transport: "closed" }, startedAt),
    );
  }

  /** Sends a request and closes the connection without waiting for the answer. */
  async abandon(request: SentRequest, abandon: Abandon, deadlineMs: number): Promise<Exchange> {
    await this.#egress.enter([request]);
    const startedAt = performance.now();
    const bytes = requestBytes(this.#identified(request), this.host);
    return this.#finish(request, await sendRaw(this.#address(), bytes, { deadlineMs, abandon }), startedAt);
  }

  async sendRaw(request: SentRequest, bytes: Buffer, options: RawOptions): Promise<Exchange> {
    const entered = await this.#egress.enterRaw(bytes, (options.chunks ?? []).length > 0, request);
    const startedAt = performance.now();
    return this.#finish(entered, await sendRaw(this.#address(), bytes, options), startedAt);
  }

  /** The handshake counts as a request; the caller closes the socket. */
  async openStream(request: SentRequest, deadlineMs: number): Promise<OpenedStream> {
    const { baseUrl, stream } = this.#profile;
    if (stream?.url === undefined)
      throw new Blocked("the profile names no address of the stream: add ws.url");
    await this.#egress.enter([request], "case", stream.url.host);
    const startedAt = performance.now();
    const url = new URL(stream.url);
    // A set path cannot lead to another host, but a resolved one could.
    const [path = "/", ...query] = request.path.split("?");
    url.pathname = path;
    url.search = query.join("?");
    this.#streamConnect ??= this.#connector(
      url,
      url.hostname === baseUrl.hostname ? this.#lookup : undefined,
    );
    const { headers } = this.#identified(request);
    const where = { url, headers, deadlineMs, connect: this.#streamConnect };
    const opening = StreamSocket.open({ ...where, allowance: this.#streams });
    const { socket, ...result } = await opening.catch((error: unknown) => {
      this.#finish(request, failureOf(error), startedAt);
      throw error;
    });
    const exchange = this.#finish(request, uncertainIfLost(result), startedAt);
    return socket === undefined ? { exchange } : { exchange, socket };
  }

  /** A message waits its turn and is counted like a request. */
  async sendOnStream(request: SentRequest, send: () => void): Promise<void> {
    await this.#egress.enterMessage(request);
    const startedAt = performance.now();
    send();
    this.#finish(request, { transport: "message" }, startedAt);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#connections.destroy();
  }

  async #request(client: Client, request: SentRequest, deadlineMs: number): Promise<Reply> {
    const { statusCode, headers, body } = await client.request({
      method: request.method as "GET",
      path: request.path,
      headers: this.#identified(request).headers.flat(),
      body: request.body.length > 0 ? Buffer.from(request.body) : null,
      signal: AbortSignal.timeout(deadlineMs),
      responseHeaders: "raw",
    });
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > maxBytes) throw new ReplyProblem("tooLarge", `the body is larger than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return decoded({ status: statusCode, headers: pairsOf(headers), body: Buffer.concat(chunks) });
  }

  /** The kit's headers come after those of the case, which may set them itself. */
  #identified(request: SentRequest): SentRequest {
    const own: readonly (readonly [string, string])[] = [["Accept-Encoding", "identity"], ...this.#identity];
    const names = new Set(request.headers.map(([name]) => name.toLowerCase()));
    return {
      ...request,
      headers: [...request.headers, ...own.filter(([name]) => !names.has(name.toLowerCase()))],
    };
  }

  #finish(request: SentRequest, result: RawResult, startedAt: number): Exchange {
    const timing = { startedAt, endedAt: performance.now() };
    const exchange = withJson({ request, ...result, ...timing });
    this.#egress.leave(exchange);
    return exchange;
  }

  #address(): RawAddress {
    const { baseUrl } = this.#profile;
    return { url: baseUrl, connect: this.#connector(baseUrl, this.#lookup, true) };
  }

  #connector(url: URL, lookup: LookupFunction | undefined, allowHalfOpen = false): Connector {
    const { tls, timeouts } = this.#profile;
    return connectorTo(url, {
      tls,
      timeoutMs: timeouts.requestMs,
      allowHalfOpen,
      ...(lookup === undefined ? {} : { lookup }),
    });
  }
}

/** A parsed body takes many times its size, so for a large one only the bytes are kept and parsed again on demand. */
const smallBody = 16 * 1024;

function withJson(exchange: Omit<Exchange, "json" | "jsonProblem">): Exchange {
  const { reply } = exchange;
  if (reply === undefined) return exchange;
  const reading = readJson(reply.body);
  if (!reading.ok) return { ...exchange, jsonProblem: reading.problem };
  const { json } = reading;
  if (reply.body.length <= smallBody || json === null || typeof json !== "object")
    return { ...exchange, json };
  let last = new WeakRef(json);
  return {
    ...exchange,
    get json() {
      const known = last.deref();
      if (known !== undefined) return known;
      const again = readJson(reply.body);
      if (again.ok && again.json !== null && typeof again.json === "object") last = new WeakRef(again.json);
      return again.ok ? again.json : null;
    },
  };
}

function pairsOf(headers: unknown): (readonly [string, string])[] {
  const flat = (headers as readonly (string | Buffer)[]).map((part) =>
    typeof part === "string" ? part : part.toString("latin1"),
  );
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ""] as const] : []));
}

/** The target may have taken a request whose connection ended before the answer. */
const uncertainIfLost = <Result extends RawResult>(result: Result): Result =>
  result.transport === "reset" || result.transport === "closed" ? { ...result, uncertain: true } : result;

function failureOf(error: unknown): RawResult {
  if (error instanceof ReplyProblem) return { transport: error.outcome, problem: error.message };
  const { name, message, code } = error as NodeJS.ErrnoException;
  const outcomes: Readonly<Record<string, TransportOutcome>> = {
    ECONNREFUSED: "refused",
    ENOTFOUND: "refused",
    EAI_AGAIN: "refused",
    ECONNRESET: "reset",
    EPIPE: "reset",
    UND_ERR_SOCKET: "closed",
    UND_ERR_HEADERS_TIMEOUT: "timeout",
    UND_ERR_BODY_TIMEOUT: "timeout",
    UND_ERR_CONNECT_TIMEOUT: "refused",
    UND_ERR_HEADERS_OVERFLOW: "tooLarge",
    UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "malformed",
  };
  if (name === "TimeoutError" || name === "AbortError")
    return { transport: "timeout", problem: "no complete response in time" };
  if (error instanceof errors.HTTPParserError) return { transport: "malformed", problem: message };
  return { transport: outcomes[code ?? ""] ?? "closed", problem: message };
}
