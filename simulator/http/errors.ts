/** Every error that leaves this server: one table of codes, one shape of body. A refusal is a value. */
import process from "node:process";
import type { SignatureSearch } from "../auth/signature-search.ts";
import { VenueUnavailable } from "../sequencer/unavailable.ts";
import { isoTime } from "../wire/envelope.ts";
import { printable } from "./printable.ts";

/** The words of each status. An import of node:http would, from Node 22 on, load its WebSocket client at every start. */
export const { STATUS_CODES: reasons } = process.getBuiltinModule("node:http");

/** Status of each code (F-status-codes, F-error-codes). */
export const errorStatus = {
  VALIDATION_FAILED: 400,
  INVALID_COMMAND: 400,
  MALFORMED_JSON: 400,
  JSON_NOT_ACCEPTED: 400,
  INVALID_CURSOR: 400,
  INVALID_QUERY: 400,
  MALFORMED_REQUEST: 400,
  INVALID_TARGET: 400,
  DUPLICATE_HEADER: 400,
  UNEXPECTED_BODY: 400,
  PRODUCT_NOT_FOUND: 400,
  PRODUCT_NOT_ENABLED: 400,
  ORDER_SIZE_BELOW_MINIMUM: 400,
  ORDER_SIZE_ABOVE_MAXIMUM: 400,
  EXCHANGE_REJECTED: 400,
  ASSET_NOT_SUPPORTED: 400,
  NETWORK_NOT_SUPPORTED: 400,
  MISSING_CREDENTIALS: 401,
  INVALID_API_KEY: 401,
  INVALID_TIMESTAMP: 401,
  TIMESTAMP_OUT_OF_WINDOW: 401,
  INVALID_NONCE: 401,
  NONCE_REUSED: 401,
  INVALID_SIGNATURE: 401,
  UNAUTHORIZED: 401,
  MISSING_CLAIM: 403,
  FOREIGN_ORIGIN: 403,
  FORBIDDEN: 403,
  ROUTE_NOT_FOUND: 404,
  NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  ASSET_NOT_FOUND: 404,
  DEPOSIT_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  ORDER_NOT_CANCELLABLE: 409,
  CONFLICT: 409,
  CLOCK_IS_REAL: 409,
  CONDITION_NOT_MET: 409,
  PAYLOAD_TOO_LARGE: 413,
  URI_TOO_LONG: 414,
  UNSUPPORTED_MEDIA_TYPE: 415,
  EXPECTATION_FAILED: 417,
  MISDIRECTED_REQUEST: 421,
  UPGRADE_REQUIRED: 426,
  RATE_LIMITED: 429,
  HEADERS_TOO_LARGE: 431,
  INTERNAL_ERROR: 500,
  NOT_READY: 503,
  MAINTENANCE: 503,
  OUTCOME_UNKNOWN: 503,
  HTTP_VERSION_NOT_SUPPORTED: 505,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export interface Refusal {
  readonly code: ErrorCode;
  /** A sentence for a person; text of the client in it must have gone through `printable`. */
  readonly message: string;
  readonly details?: readonly object[];
  /** Where the table does not fit: an unknown product is 404 on a read, and a drawn fault brings its own. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** The connection cannot be used again: framing is in doubt, or there is a body that will not be read. */
  readonly close?: boolean;
  /** The socket is closed or reset without an answer, because of a fault rule. */
  readonly drop?: "close" | "reset";
  /** Half of the body leaves, because of a fault rule. */
  readonly cut?: boolean;
  /** No body leaves, because of a fault rule. */
  readonly withoutBody?: boolean;
  /** Of a wrong signature: the search for the mistake. It is for the exchange log and no part of the answer. */
  readonly search?: SignatureSearch;
}

export const statusOf = (refusal: Refusal): number => refusal.status ?? errorStatus[refusal.code];

export interface ErrorContext {
  /** Target of the request as received; the query is left out, it may hold anything. */
  readonly target: string;
  readonly requestId: string;
  readonly now: number;
}

/** The body of every error, as text. The first three keys are those of the success envelope. */
export function errorBody(refusal: Refusal, { target, requestId, now }: ErrorContext): string {
  const statusCode = statusOf(refusal);
  const query = target.indexOf("?");
  return JSON.stringify({
    statusCode,
    success: false,
    message: refusal.message,
    error: reasons[statusCode] ?? "Error",
    code: refusal.code,
    details: refusal.details ?? [],
    timestamp: isoTime(now),
    path: printable(query === -1 ? target : target.slice(0, query), 256),
    requestId,
  });
}

/** A refusal as the bytes of a whole answer, for a socket that no request was read from; the connection ends with it. */
export function rawAnswer(
  refusal: Refusal,
  context: ErrorContext,
): { readonly body: string; readonly text: string } {
  const body = errorBody(refusal, context);
  const headers = { ...errorHeaders(refusal), "x-request-id": context.requestId, connection: "close" };
  const lines = Object.entries({ ...headers, "content-length": String(Buffer.byteLength(body)) });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const status = statusOf(refusal);
  return { body, text: `HTTP/1.1 ${status} ${reasons[status] ?? "Error"}\r\n${head}\r\n${body}` };
}

const retryAfterUnavailable = "1";

/** Header names in lower case. */
export function errorHeaders(refusal: Refusal): Record<string, string> {
  const status = statusOf(refusal);
  return {
    "content-type": "application/json; charset=utf-8",
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
    ...(status === 401 ? { "www-authenticate": 'HMAC-SHA256 realm="trading"' } : {}),
    ...(status === 503 ? { "retry-after": retryAfterUnavailable } : {}),
    ...refusal.headers,
    ...(refusal.close === true ? { connection: "close" } : {}),
  };
}

/** A bug of ours. The message says nothing about it; the log does. */
const internalError = (): Refusal => ({
  code: "INTERNAL_ERROR",
  message:
    "The venue had an internal error. Whether the request took effect is unknown: check before you repeat it.",
});

export const bodyTooLarge: Refusal = {
  code: "PAYLOAD_TOO_LARGE",
  message: "The body is larger than this venue accepts.",
  close: true,
};

/** A refusal for a thrown error: of a venue that cannot commit, or of Fastify. Any other error is our bug. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof VenueUnavailable)
    return { code: error.outcome === "unknown" ? "OUTCOME_UNKNOWN" : "NOT_READY", message: error.message };
  const { code, statusCode } = fieldsOf(error);
  switch (code) {
    case "FST_ERR_CTP_BODY_TOO_LARGE":
      return bodyTooLarge;
    case "FST_ERR_CTP_INVALID_CONTENT_LENGTH":
    case "ECONNRESET":
      return {
        code: "MALFORMED_REQUEST",
        message: "The body is not as long as its Content-Length says.",
        close: true,
      };
    case "FST_ERR_CTP_INVALID_MEDIA_TYPE":
      return { code: "UNSUPPORTED_MEDIA_TYPE", message: "Send the body as application/json." };
    case "FST_ERR_BAD_URL":
    case "FST_ERR_MAX_PARAM_LENGTH":
      return {
        code: "INVALID_TARGET",
        message: "The path cannot be read. Send it without percent-escapes.",
        close: true,
      };
    default:
      return statusCode >= 400 && statusCode < 500
        ? {
            code: "MALFORMED_REQUEST",
            message: "The request cannot be read.",
            status: statusCode,
            close: true,
          }
        : internalError();
  }
}

function fieldsOf(error: unknown): { readonly code: string; readonly statusCode: number } {
  if (typeof error !== "object" || error === null) return { code: "", statusCode: 0 };
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const statusCode = "statusCode" in error && typeof error.statusCode === "number" ? error.statusCode : 0;
  return { code, statusCode };
}
