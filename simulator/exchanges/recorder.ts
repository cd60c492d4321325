/** Makes an exchange of each request that the listener answers, refuses or drops, and of each WebSocket. */
import type { IncomingMessage, OutgoingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { SignatureSearch } from "../auth/signature-search.ts";
import type { RawRefusal } from "../http/connections.ts";
import { statusOf } from "../http/errors.ts";
import type { ExchangeObserver } from "../http/observers.ts";
import { bytesOf } from "../http/send.ts";
import type { StreamObserver } from "../stream/stream-record.ts";
import type { Choices } from "../world/freedoms.ts";
import {
  bytesShown,
  type Exchange,
  type GivenAnswer,
  type Header,
  headersShown,
  type Kept,
  keptOf,
  type SentRequest,
} from "./exchange.ts";
import type { ExchangeLog } from "./exchange-log.ts";
import { Redactor, type WithSecret } from "./redactor.ts";

/** Whose key it is. */
export interface Owner {
  readonly world: string;
  readonly key: string | null;
  readonly client: string | null;
  /** The secrets of its world. While they stay what they are, it is the same list. */
  readonly secrets: readonly WithSecret[];
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

export class Recorder implements ExchangeObserver {
  readonly #parts: RecorderParts;
  readonly #redactors = new WeakMap<readonly WithSecret[], Redactor>();

  constructor(parts: RecorderParts) {
    this.#parts = parts;
  }

  get log(): ExchangeLog {
    return this.#parts.log;
  }

  answered(request: FastifyRequest, reply: FastifyReply, payload: unknown): void {
    const body = keptOf(typeof payload === "string" || Buffer.isBuffer(payload) ? payload : nothing);
    const { raw, statusCode: status } = reply;
    const headers = JSON.stringify(reply.getHeaders());
    raw.once("close", () => {
      const { refusedAs: code } = request;
      this.#exchanged(request, { status, code, headers, body, sent: raw.writableFinished });
    });
  }

  dropped(request: FastifyRequest): void {
    this.#exchanged(request, noAnswer);
  }

  refusedOnSocket({ socket, request, id, target, refusal, body }: RawRefusal): void {
    if (this.#isControl(target)) return;
    const { search = null, code } = refusal;
    const owner = this.#parts.ownerOf(request === undefined ? "" : keyIdOf(request));
    this.#append({
      ...nothingCaused,
      id,
      owner,
      at: Date.now(),
      durationMs: 0,
      address: socket.remoteAddress ?? "",
      request: sentBy(request, target, nothing, owner),
      answer: { ...noAnswer, status: statusOf(refusal), code, body: keptOf(body), sent: true },
      search,
    });
  }

  /** A WebSocket that was accepted: once now, and once more when it has ended. */
  opened(request: IncomingMessage, id: string): StreamObserver {
    const begun = performance.now();
    const owner = this.#parts.ownerOf(keyIdOf(request));
    const noted: Noted = {
      ...nothingCaused,
      id,
      kind: "stream",
      owner,
      at: Date.now(),
      durationMs: 0,
      address: request.socket.remoteAddress ?? "",
      request: sentBy(request, request.url ?? "", nothing, owner),
      answer: { ...noAnswer, status: 101, sent: true },
      screened: true,
    };
    this.#append(noted);
    return {
      ended: (stream) => this.#append({ ...noted, durationMs: rounded(performance.now() - begun), stream }),
    };
  }

  #exchanged(request: FastifyRequest, answer: Given): void {
    const { raw, id, ip, receivedHeaders, faults } = request;
    // Fastify leaves these out of the request for a path that it cannot read.
    const found: Partial<FastifyRequest> = request;
    const { screened = null, entries = null, place = null, search = null, arrivedAt = 0 } = found;
    const target = raw.url ?? "";
    if (this.#isControl(target)) return;
    const durationMs = arrivedAt === 0 ? 0 : rounded(performance.now() - arrivedAt);
    const owner = this.#parts.ownerOf(receivedHeaders?.credentials.keyId ?? "");
    // Written out: a literal behind a spread takes ten times as long.
    this.#append({
      id,
      kind: "request",
      owner,
      at: Date.now() - Math.round(durationMs),
      durationMs,
      address: ip,
      request: sentBy(raw, target, bytesOf(request.body), owner),
      answer,
      entries,
      place,
      faults: faults ?? [],
      screened: screened !== null,
      search,
      stream: null,
    });
  }

  #append(noted: Noted): void {
    const kept = { bytes: bytesIn(noted), like: likenessOf(noted) };
    this.#parts.log.append(() => this.#exchangeOf(noted), noted.search, kept);
  }

  #exchangeOf(noted: Noted): Exchange {
    const { secrets, world, key, client, freedoms } = noted.owner;
    // Written out, too.
    return this.#redactorOf(secrets).redacted({
      id: noted.id,
      kind: noted.kind,
      world,
      at: noted.at,
      durationMs: noted.durationMs,
      address: noted.address,
      key,
      client,
      request: requestShown(noted.request, key),
      answer: answerShown(noted.answer),
      entries: noted.entries,
      place: noted.place,
      faults: noted.faults,
      freedoms,
      screened: noted.screened,
      signature: noted.search?.diagnosis ?? null,
      stream: noted.stream,
    });
  }

  #redactorOf(secrets: readonly WithSecret[]): Redactor {
    const known = this.#redactors.get(secrets);
    if (known !== undefined) return known;
    const { controlToken } = this.#parts;
    const made = new Redactor(secrets, controlToken === null ? [] : [{ secret: controlToken }]);
    this.#redactors.set(secrets, made);
    return made;
  }

  #isControl(target: string): boolean {
    return target.startsWith(this.#parts.controlPrefix);
  }
}

/**
 * An exchange until it is written: few and flat values, because the garbage collector copies them meanwhile, and nothing
 * that leads back to the request and its socket.
 */
interface Noted extends Omit<Exchange, "request" | "answer" | "signature" | keyof Owner> {
  readonly owner: Owner;
  readonly request: Sent;
  readonly answer: Given;
  readonly search: SignatureSearch | null;
}

interface Sent {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn, one to a line: HTTP allows no line break in them. */
  readonly rawHeaders: string;
  readonly body: Kept;
}

interface Given extends Omit<GivenAnswer, "headers" | "body"> {
  /** A JSON object. */
  readonly headers: string;
  readonly body: Kept;
}

const nothingCaused = {
  kind: "request",
  entries: null,
  place: null,
  faults: [],
  screened: false,
  search: null,
  stream: null,
} as const;

const noAnswer: Given = { status: 0, code: null, headers: "{}", body: keptOf(nothing), sent: false };

/** Whoever names no key of ours may send anything: a little of it is kept. */
function sentBy(request: IncomingMessage | undefined, target: string, body: Buffer, { key }: Owner): Sent {
  const rawHeaders = request?.rawHeaders.join("\n") ?? "";
  const method = request?.method ?? "";
  if (key !== null) return { method, target: cutTo(longestTarget, target), rawHeaders, body: keptOf(body) };
  return {
    method,
    target: cutTo(mostOfStranger, target),
    // Whole lines, so that none ends within a secret; a name without a value is not shown.
    rawHeaders: cutTo(Math.max(0, `${rawHeaders}\n`.lastIndexOf("\n", mostOfStranger)), rawHeaders),
    body: keptOf(body, mostOfStranger),
  };
}

/** A part of a text would keep all of it in memory. */
const cutTo = (most: number, text: string): string =>
  text.length <= most ? text : Buffer.from(text.slice(0, most)).toString();

/** About the memory that it keeps: characters are counted as bytes, and the small parts together as 512. */
const bytesIn = ({ request: { target, rawHeaders, body }, answer }: Noted): number =>
  target.length +
  rawHeaders.length +
  body.start.length +
  answer.headers.length +
  answer.body.start.length +
  512;

/** Refusals of credentials that a client repeats are alike; each other exchange is kept for itself. */
function likenessOf({
  owner: { world, key },
  answer: { code, status },
  request,
  address,
  search,
}: Noted): string | null {
  if (code === null || (key !== null && status !== unauthorized) || search?.isOver === false) return null;
  const [path = ""] = request.target.split("?", 1);
  return cutTo(mostOfStranger, `${address} ${world} ${key ?? ""} ${code} ${request.method} ${path}`);
}

const unauthorized = 401;

const requestShown = ({ method, target, rawHeaders, body }: Sent, key: string | null): SentRequest => ({
  method,
  target,
  headers: headersShown(rawHeaders.split("\n"), key),
  body: bytesShown(body),
});

const answerShown = ({ status, code, headers, body, sent }: Given): GivenAnswer => ({
  status,
  code,
  // as: it was made of the headers of a reply
  headers: Object.entries(JSON.parse(headers) as OutgoingHttpHeaders).map(
    ([name, value]): Header => ({ name, value: String(value) }),
  ),
  body: bytesShown(body),
  sent,
});

const longestTarget = 8192;
const mostOfStranger = 1024;

const keyIdOf = ({ headers }: IncomingMessage): string => String(headers["x-api-key"] ?? "");

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;
