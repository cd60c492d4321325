import { readFileSync } from "node:fs";
import { Client, errors } from "undici";
import { maxBytes, readJson } from "../check/lossless-json.ts";
import type { Exchange, Reply, SentRequest, TransportOutcome } from "../model/exchange.ts";
import type { Profile } from "../model/profile.ts";
import { assertHostAllowed } from "./host-guard.ts";
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

/**
 * The one way from the kit to a target. Paths and headers go out as given: no normalisation, no redirect is
 * followed (reliability F12), no body larger than 8 MiB is kept, and every exchange has a deadline and is handed
 * to the observer once.
 */
export class Target {
  readonly #profile: Profile;
  readonly #client: Client;
  readonly #observer: (exchange: Exchange) => void;

  constructor(profile: Profile, observer: (exchange: Exchange) => void) {
    assertHostAllowed(profile);
    this.#profile = profile;
    this.#observer = observer;
    this.#client = this.#newClient();
  }

  /** The full path of the base address; operation paths are appended to it. */
  get basePath(): string {
    return this.#profile.baseUrl.pathname;
  }

  get host(): string {
    return this.#profile.baseUrl.host;
  }

  async send(
    request: SentRequest,
    options: { readonly fresh?: boolean; readonly deadlineMs?: number } = {},
  ): Promise<Exchange> {
    const client = options.fresh === true ? this.#newClient() : this.#client;
    const startedAt = performance.now();
    try {
      const reply = await this.#request(
        client,
        request,
        options.deadlineMs ?? this.#profile.timeouts.requestMs,
      );
      return this.#finish(request, { transport: "response", reply }, startedAt);
    } catch (error) {
      return this.#finish(request, failureOf(error), startedAt);
    } finally {
      if (client !== this.#client) await client.destroy();
    }
  }

  /** The observer sees concurrent exchanges, too, in the order of the requests. */
  async sendTogether(
    requests: readonly SentRequest[],
    deadlineMs: number,
    leaving?: ReadonlySet<number>,
  ): Promise<Exchange[]> {
    const startedAt = performance.now();
    const bytes = requests.map((request) => requestBytes(request, this.host));
    const results = await sendTogether(this.#address(), bytes, deadlineMs, leaving);
    return requests.map((request, index) =>
      this.#finish(request, results[index] ?? { transport: "closed" }, startedAt),
    );
  }

  /** Sends a request from a connection of its own and does not wait for the answer. */
  async abandon(request: SentRequest, abandon: Abandon, deadlineMs: number): Promise<Exchange> {
    return this.sendRaw(request, requestBytes(request, this.host), { deadlineMs, abandon });
  }

  async sendRaw(request: SentRequest, bytes: Buffer, options: RawOptions): Promise<Exchange> {
    const startedAt = performance.now();
    return this.#finish(request, await sendRaw(this.#address(), bytes, options), startedAt);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.destroy();
  }

  async #request(client: Client, request: SentRequest, deadlineMs: number): Promise<Reply> {
    const names = new Set(request.headers.map(([name]) => name.toLowerCase()));
    const own = names.has("accept-encoding") ? [] : ["Accept-Encoding", "identity"];
    const { statusCode, headers, body } = await client.request({
      method: request.method as "GET",
      path: request.path,
      headers: [...request.headers.flat(), ...own],
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

  #finish(request: SentRequest, result: RawResult, startedAt: number): Exchange {
    const timing = { startedAt, endedAt: performance.now() };
    const exchange: Exchange = { request, ...result, ...jsonOf(result.reply), ...timing };
    this.#observer(exchange);
    return exchange;
  }

  #newClient(): Client {
    const { baseUrl, tls, timeouts } = this.#profile;
    const ca = tls.ca === undefined ? undefined : readFileSync(tls.ca, "utf8");
    return new Client(baseUrl.origin, {
      headersTimeout: timeouts.requestMs,
      bodyTimeout: timeouts.requestMs,
      connect: {
        timeout: timeouts.requestMs,
        rejectUnauthorized: !tls.insecure,
        ...(ca === undefined ? {} : { ca }),
      },
    });
  }

  #address(): RawAddress {
    const { hostname, port, protocol } = this.#profile.baseUrl;
    const tls = protocol === "https:";
    return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (tls ? 443 : 80)), tls };
  }
}

function jsonOf(reply: Reply | undefined): Pick<Exchange, "json" | "jsonProblem"> {
  if (reply === undefined) return {};
  const reading = readJson(reply.body);
  return reading.ok ? { json: reading.json } : { jsonProblem: reading.problem };
}

function pairsOf(headers: unknown): (readonly [string, string])[] {
  const flat = (headers as readonly (string | Buffer)[]).map((part) =>
    typeof part === "string" ? part : part.toString("latin1"),
  );
  return flat.flatMap((name, index) => (index % 2 === 0 ? [[name, flat[index + 1] ?? ""] as const] : []));
}

function failureOf(error: unknown): RawResult {
  if (error instanceof ReplyProblem) return { transport: error.outcome, problem: error.message };
  const { name, message, code } = error as NodeJS.ErrnoException;
  const outcomes: Readonly<Record<string, TransportOutcome>> = {
    ECONNREFUSED: "refused",
    ENOTFOUND: "refused",
    ECONNRESET: "reset",
    EPIPE: "reset",
    UND_ERR_SOCKET: "closed",
    UND_ERR_HEADERS_TIMEOUT: "timeout",
    UND_ERR_BODY_TIMEOUT: "timeout",
    UND_ERR_CONNECT_TIMEOUT: "refused",
  };
  if (name === "TimeoutError" || name === "AbortError")
    return { transport: "timeout", problem: "no complete response in time" };
  if (error instanceof errors.HTTPParserError) return { transport: "malformed", problem: message };
  return { transport: outcomes[code ?? ""] ?? "closed", problem: message };
}
