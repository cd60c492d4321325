import { failureTo, onAnswer } from "../../check/own-failure.ts";
import { type Redactor, unsearchable } from "../../client/redact.ts";
import type { Exchange, SentRequest } from "../../model/exchange.ts";
import type { Difference } from "../../model/finding.ts";
import { isArray, type Json, JsonObject } from "../../model/json.ts";
import type {
  ExchangeDetail,
  RowTrace,
  TracedBody,
  TracedExchange,
  TracedHeader,
} from "../../model/trace.ts";
import { bodyHash, canonicalRequest } from "../../signing/canonical-request.ts";
import { signatureHeaders } from "../../signing/sign-request.ts";

/**
 * Records the requests and answers of one row.
 *
 * Invariants: data is redacted before it is cut, so that no half of a secret stays; no parsed JSON is kept; memory is
 * bounded per body, per row and per run; only the outline of a passed row is kept, so the details of small exchanges
 * are made after the row has failed.
 */
export class TraceRecorder {
  readonly #redactor: Redactor;
  readonly #allowance: TraceAllowance;
  readonly #startedAt: number;
  readonly #exchanges: Recorded[] = [];
  #omitted = 0;
  /** A part that could not be recorded, or not be searched for secrets, and is not shown. */
  failure: Difference | undefined;

  constructor(redactor: Redactor, allowance: TraceAllowance, startedAt = performance.now()) {
    this.#redactor = redactor;
    this.#allowance = allowance;
    this.#startedAt = startedAt;
  }

  add(step: string, exchange: Exchange, circumstances: Circumstances = {}): void {
    onAnswer("write down", () => this.#add(step, exchange, circumstances), this.#failed);
  }

  #add(step: string, exchange: Exchange, { attempt = 1, together }: Circumstances): void {
    const { request, reply, problem } = exchange;
    const outline = {
      step,
      role: request.role,
      method: this.#shown(request.method, 40),
      path: this.#shown(request.path, 1000),
      attempt,
      startedMs: tenths(exchange.startedAt - this.#startedAt),
      durationMs: tenths(exchange.endedAt - exchange.startedAt),
      transport: exchange.transport,
      ...(reply === undefined ? {} : { status: reply.status }),
      ...(problem === undefined ? {} : { problem: this.#shown(problem, 500) }),
      ...(together === undefined ? {} : { together }),
    };
    const targetText = reply?.status === 401 ? explained(exchange.json, request.signed?.nonce) : undefined;
    const { json: _, ...raw } = exchange;
    const seen = { ...raw, ...(targetText === undefined ? {} : { targetText }) };
    const later = bytesOf(exchange) <= mostOfBody;
    this.#exchanges.push({ outline, ...(later ? { seen } : { detail: this.#detail(seen) }) });
    if (this.#exchanges.length <= mostExchanges) return;
    this.#exchanges.splice(firstExchanges, 1);
    this.#omitted += 1;
  }

  finish(passed: boolean): RowTrace {
    const exchanges = this.#exchanges.map((recorded) => {
      if (passed) return recorded.outline;
      return onAnswer(
        "write down",
        () => this.#detailed(recorded),
        (difference) => {
          this.#failed(difference);
          return recorded.outline;
        },
      );
    });
    return { exchanges, omitted: this.#omitted };
  }

  readonly #failed = (difference: Difference): void => {
    this.failure ??= difference;
  };

  #detailed({ outline, ...recorded }: Recorded): TracedExchange {
    const detail = "seen" in recorded ? this.#detail(recorded.seen) : recorded.detail;
    return this.#allowance.take(sizeOf(detail)) ? { ...outline, detail } : outline;
  }

  #detail({ request, reply, stream, targetText }: Seen): ExchangeDetail {
    const signedText = request.signed?.canonical;
    const wireText = signedText === undefined ? undefined : wireTextOf(request);
    const shown = (text: string): string => this.#shown(text, 4000);
    return {
      requestHeaders: this.#headers(request.headers, sentHeaders),
      ...(request.body.length === 0 ? {} : { requestBody: this.#body(request.body) }),
      ...(signedText === undefined ? {} : { signedText: shown(signedText) }),
      ...(wireText === undefined || wireText === signedText ? {} : { wireText: shown(wireText) }),
      ...(targetText === undefined ? {} : { targetText: shown(targetText) }),
      ...(reply === undefined
        ? {}
        : {
            replyHeaders: this.#headers(reply.headers, receivedHeaders),
            ...(reply.body.length === 0 ? {} : { replyBody: this.#body(reply.body) }),
          }),
      ...(stream === undefined || stream.body.length === 0 ? {} : { replyBody: this.#body(stream.body) }),
    };
  }

  #headers(headers: SentRequest["headers"], known: RegExp): TracedHeader[] {
    return headers.slice(0, mostHeaders).map(([name, value]) => {
      const shown = known.test(name) ? this.#shown(value, 500) : `«${value.length} characters»`;
      const short = /^x-api-signature$/i.test(name) && /^.{16,}/.test(value);
      return [this.#shown(name, 100), short ? `${shown.slice(0, 8)}…` : shown];
    });
  }

  #body(bytes: Uint8Array): TracedBody {
    const text = utf8(bytes);
    const spelled = text ?? Buffer.from(bytes).toString("base64");
    const shown = this.#shown(spelled, mostOfBody);
    return {
      text: shown,
      bytes: bytes.length,
      cut: shown.length === mostOfBody + 1,
      base64: text === undefined,
    };
  }

  #shown(text: string, most: number): string {
    const shown = this.#redactor.redactStart(text, most);
    if (shown.startsWith(unsearchable)) this.failure ??= failureTo("search for secrets", unsearchable);
    return shown;
  }
}

interface Circumstances {
  readonly attempt?: number;
  readonly together?: string;
}

/** An exchange without its JSON, with the text that its target expected to be signed. */
type Seen = Omit<Exchange, "json"> & { readonly targetText?: string };

/** Of a large body only the shown part is kept. */
type Recorded = { readonly outline: TracedExchange } & (
  | { readonly seen: Seen }
  | { readonly detail: ExchangeDetail }
);

function bytesOf({ request, reply, stream }: Exchange): number {
  return request.body.length + (reply?.body.length ?? 0) + (stream?.body.length ?? 0);
}

/** The limit for the details of all rows together: a target that fails every case must not fill the memory. */
export class TraceAllowance {
  #left: number;
  constructor(characters = 16 * 1024 * 1024) {
    this.#left = characters;
  }
  take(characters: number): boolean {
    if (characters > this.#left) return false;
    this.#left -= characters;
    return true;
  }
}

const mostExchanges = 48;
const firstExchanges = 12;
const mostHeaders = 40;
const mostOfBody = 16 * 1024;

const sentHeaders =
  /^(?:x-api-(?:key|timestamp|nonce|signature)|x-request-source|content-(?:type|length|encoding)|accept(?:-\w+)?|host|connection|user-agent|transfer-encoding|expect)$/i;
const receivedHeaders =
  /^(?:content-(?:type|length|encoding|language)|date|server|via|connection|keep-alive|transfer-encoding|cache-control|retry-after|location|allow|vary|etag|www-authenticate|x-request-id|x-ratelimit-\w+|ratelimit(?:-\w+)?|x-api-version|x-content-type-options|strict-transport-security)$/i;

/** The text that a correct signer of the request as sent would have signed. */
function wireTextOf(request: SentRequest): string {
  const header = (name: string): string =>
    request.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? "";
  return canonicalRequest({
    timestamp: header(signatureHeaders.timestamp),
    nonce: header(signatureHeaders.nonce),
    method: request.method.toUpperCase(),
    path: request.path.split("?")[0] ?? request.path,
    contentType: header("Content-Type"),
    bodyHash: bodyHash(request.body),
  });
}

/**
 * Some targets return the text that they would have signed: six lines, one of them the nonce, the last one a digest.
 */
function explained(json: Json | undefined, nonce: string | undefined, depth = 0): string | undefined {
  if (json === undefined || nonce === undefined || depth > 6) return undefined;
  if (typeof json === "string") {
    const lines = json.split("\n");
    return lines.length === 6 && lines.includes(nonce) && /^[0-9a-f]{64}$/i.test(lines[5] ?? "")
      ? json
      : undefined;
  }
  const inner = isArray(json) ? json : json instanceof JsonObject ? [...json.entries.values()] : [];
  for (const item of inner.slice(0, 100)) {
    const found = explained(item, nonce, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function utf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function sizeOf(detail: ExchangeDetail): number {
  return JSON.stringify(detail).length;
}

const tenths = (milliseconds: number): number => Math.round(milliseconds * 10) / 10;
