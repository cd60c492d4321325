/** Makes an exchange of each request that the listener answers, refuses or drops, and of each WebSocket. */
import type { IncomingMessage } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { SignatureSearch } from "../auth/signature-search.ts";
import type { RawRefusal } from "../http/connections.ts";
import { statusOf } from "../http/errors.ts";
import type { ExchangeObserver } from "../http/listener.ts";
import { bytesOf } from "../http/send.ts";
import type { StreamObserver } from "../stream/hub.ts";
import type { Choices } from "../world/freedoms.ts";
import { bytesShown, type Exchange, type GivenAnswer, type Header, headersShown } from "./exchange.ts";
import type { ExchangeLog } from "./exchange-log.ts";
import { Secrets } from "./secrets.ts";

/** Whose key it is. */
export interface Owner {
  readonly world: string;
  readonly key: string | null;
  readonly client: string | null;
  readonly secret: string | null;
  /** The freedoms of the world whose option is not the default. */
  readonly freedoms: Choices;
}

export interface RecorderParts {
  readonly log: ExchangeLog;
  readonly ownerOf: (keyId: string) => Owner;
  /** The path of the control surface, whose requests are not those of a client. */
  readonly controlPrefix: string;
  readonly controlToken: string | null;
}

const nothing = Buffer.alloc(0);
const mostSecrets = 1000;

export class Recorder implements ExchangeObserver {
  readonly #parts: RecorderParts;
  readonly #secrets = new Map<string | null, Secrets>();

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  get log(): ExchangeLog {
    return this.#parts.log;
  }

  answered(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const body = typeof payload === "string" || Buffer.isBuffer(payload) ? payload : nothing;
    const { raw, statusCode } = reply;
    const headers = Object.entries(reply.getHeaders()).map(
      ([name, value]): Header => ({ name, value: String(value) }),
    );
    raw.once("close", () =>
      this.#exchanged(request, {
        status: statusCode,
        code: request.refusedAs,
        headers,
        body: bytesShown(body),
        sent: raw.writableFinished,
      }),
    );
  }

  dropped(request: FastifyRequest): void {
    this.#exchanged(request, noAnswer);
  }

  refusedOnSocket({ socket, request, id, target, refusal, body }: RawRefusal): void {
    if (this.#isControl(target)) return;
    const { world, key, client, secret, freedoms } = this.#parts.ownerOf(
      request === undefined ? "" : keyIdOf(request),
    );
    const { search = null } = refusal;
    const exchange: Exchange = {
      id,
      kind: "request",
      world,
      at: Date.now(),
      durationMs: 0,
      address: socket.remoteAddress ?? "",
      key,
      client,
      request: sentBy(request, target, key, nothing),
      answer: {
        status: statusOf(refusal),
        code: refusal.code,
        headers: [],
        body: bytesShown(body),
        sent: true,
      },
      entries: null,
      place: null,
      faults: [],
      freedoms,
      screened: false,
      signature: search?.diagnosis ?? null,
      stream: null,
    };
    this.#append(exchange, secret, search);
  }

  /** A WebSocket that was accepted: once now, and once more when it has ended. */
  opened(request: IncomingMessage, id: string): StreamObserver {
    const begun = performance.now();
    const { world, key, client, secret, freedoms } = this.#parts.ownerOf(keyIdOf(request));
    const exchange: Exchange = {
      id,
      kind: "stream",
      world,
      at: Date.now(),
      durationMs: 0,
      address: request.socket.remoteAddress ?? "",
      key,
      client,
      request: sentBy(request, request.url ?? "", key, nothing),
      answer: { ...noAnswer, status: 101, sent: true },
      entries: null,
      place: null,
      faults: [],
      freedoms,
      screened: true,
      signature: null,
      stream: null,
    };
    this.#append(exchange, secret);
    return {
      ended: (stream) =>
        this.#append({ ...exchange, durationMs: rounded(performance.now() - begun), stream }, secret),
    };
  }

  #exchanged(request: FastifyRequest, answer: GivenAnswer): void {
    const { raw, id, ip, receivedHeaders, screened, entries, place, faults, search, arrivedAt } = request;
    const durationMs = arrivedAt === 0 ? 0 : rounded(performance.now() - arrivedAt);
    const target = raw.url ?? "";
    if (this.#isControl(target)) return;
    const { world, key, client, secret, freedoms } = this.#parts.ownerOf(
      receivedHeaders?.credentials.keyId ?? "",
    );
    const exchange: Exchange = {
      id,
      kind: "request",
      world,
      at: Date.now() - Math.round(durationMs),
      durationMs,
      address: ip,
      key,
      client,
      request: sentBy(raw, target, key, bytesOf(request.body)),
      answer,
      entries,
      place,
      faults: faults ?? [],
      freedoms,
      screened: screened !== null,
      signature: search?.diagnosis ?? null,
      stream: null,
    };
    this.#append(exchange, secret, search);
  }

  #append(exchange: Exchange, secret: string | null, search: SignatureSearch | null = null): void {
    const secrets = this.#secretsOf(secret);
    const isSafe = !secrets.areAnywhereIn(exchange);
    this.#parts.log.append(isSafe ? exchange : { ...exchange, ...secrets.leftOutOf(exchange) }, search);
  }

  /** Those that a client can have: its own, and the token of the control surface. */
  #secretsOf(secret: string | null): Secrets {
    const known = this.#secrets.get(secret);
    if (known !== undefined) return known;
    const { controlToken } = this.#parts;
    const made = new Secrets(
      [secret, controlToken].flatMap((one) => (one === null ? [] : [{ secret: one }])),
    );
    if (this.#secrets.size >= mostSecrets) this.#secrets.clear();
    this.#secrets.set(secret, made);
    return made;
  }

  #isControl(target: string): boolean {
    return target.startsWith(this.#parts.controlPrefix);
  }
}

const noAnswer: GivenAnswer = { status: 0, code: null, headers: [], body: { length: 0 }, sent: false };

const sentBy = (
  request: IncomingMessage | undefined,
  target: string,
  key: string | null,
  body: Buffer,
): Exchange["request"] => ({
  method: request?.method ?? "",
  target: target.slice(0, longestTarget),
  headers: headersShown(request?.rawHeaders ?? [], key),
  body: bytesShown(body),
});

const longestTarget = 8192;

const keyIdOf = ({ headers }: IncomingMessage): string => String(headers["x-api-key"] ?? "");

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;
