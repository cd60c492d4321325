/** The meaning of each error code, with an example of a message. `errors.ts` has the status of each code. */
import type { ErrorCode } from "../errors.ts";
import { jsonLimits } from "../parse-json.ts";

export interface RefusalText {
  readonly when: string;
  readonly message: string;
  readonly details?: readonly object[];
}

/** Codes that a client of the trading routes does not meet: those of the control surface. */
export const otherCodes = [
  "INVALID_COMMAND",
  "NOT_FOUND",
  "CONFLICT",
  "CLOCK_IS_REAL",
  "CONDITION_NOT_MET",
] as const satisfies readonly ErrorCode[];

export type TradingCode = Exclude<ErrorCode, (typeof otherCodes)[number]>;

const text = (when: string, message: string, ...details: readonly object[]): RefusalText => ({
  when,
  message,
  ...(details.length === 0 ? {} : { details }),
});

export const refusalTexts = {
  VALIDATION_FAILED: text(
    "A field of the body or of the path is missing or malformed. `details` names all of them, not just the first.",
    "base_quantity is required for a LIMIT order",
    { field: "base_quantity", issue: "is required for a LIMIT order" },
  ),
  MALFORMED_JSON: text(
    "The body is not one JSON document in UTF-8, or has the same key twice.",
    "The body is not JSON: it ends in the middle.",
  ),
  JSON_NOT_ACCEPTED: text(
    `The body is JSON beyond the limits of this venue, also in ignored fields: at most ${jsonLimits.members} members, ` +
      `${jsonLimits.depth} levels and ${jsonLimits.stringLength} characters in a string, and no key \`__proto__\`. ` +
      "`details[0].bound` names the limit.",
    "The JSON has more than 64 members at line 1, column 912.",
    { issue: "has more than 64 members at line 1, column 912", bound: "members", maximum: 64 },
  ),
  INVALID_CURSOR: text(
    "The cursor was shortened or edited, or belongs to another list, other filters or another client.",
    "The cursor is not one of this list: use `nextCursor` of the page before, whole, with the same filters and the same account",
    { field: "cursor", issue: "does not belong to this list with these filters" },
  ),
  INVALID_QUERY: text(
    "A query parameter is empty, malformed, given twice, or unknown to this route. `details` names all of them.",
    "limit must be a whole number from 1 to 1000, was 0",
    { field: "limit", issue: "must be a whole number from 1 to 1000, was 0", value: "0" },
  ),
  MALFORMED_REQUEST: text(
    "The request breaks a rule of HTTP, or could be read in two ways.",
    "The Host header is missing. Send it, with HTTP/1.1.",
  ),
  INVALID_TARGET: text(
    "The path is spelled in a way that would be signed and routed differently.",
    "The path has two slashes in a row. Send it the way it is documented.",
  ),
  DUPLICATE_HEADER: text(
    "A header that must be unique was sent more than once.",
    "The header Host was sent more than once. Send it once.",
  ),
  UNEXPECTED_BODY: text(
    "A request that has no body carries one. A GET carries none at all; a DELETE, and a POST that takes nothing, may carry an empty object.",
    "A GET request has no body here. Leave it out, together with Content-Length.",
  ),
  PRODUCT_NOT_FOUND: text(
    "There is no such product: 400 in the body of an order, 404 in the address of a read.",
    "Unknown product BTC-XYZ",
    { product: "BTC-XYZ" },
  ),
  PRODUCT_NOT_ENABLED: text(
    "The product is not enabled for this account, or for any account.",
    "DOGE-USD is not enabled for this account",
    { product: "DOGE-USD" },
  ),
  ORDER_SIZE_BELOW_MINIMUM: text(
    "The order is smaller than its smallest size; a size equal to the limit is accepted.",
    "Order size 0.00001 is below the minimum of 0.0001 BTC for BTC-USD",
    { field: "base_quantity", limit: "0.0001", asset: "BTC", source: "PRODUCT" },
  ),
  ORDER_SIZE_ABOVE_MAXIMUM: text(
    "The order is larger than its largest size; a size equal to the limit is accepted.",
    "Order size 11 is above the maximum of 10 BTC for BTC-USD",
    { field: "base_quantity", limit: "10", asset: "BTC", source: "CLIENT" },
  ),
  EXCHANGE_REJECTED: text(
    "The exchange rejected the order; `details[0].reason` says why.",
    "price must be a whole multiple of 0.01, was 60000.005",
    { reason: "INVALID_PRICE_INCREMENT", field: "price", expected: "0.01" },
  ),
  ASSET_NOT_SUPPORTED: text("The asset is unknown or takes no deposits.", "Unknown asset XYZ", {
    field: "asset",
  }),
  NETWORK_NOT_SUPPORTED: text(
    "The asset has no such network, or deposits through it are disabled.",
    "BTC has no network lightning; it has bitcoin-mainnet",
    { field: "network" },
  ),
  MISSING_CREDENTIALS: text(
    "One of the four headers is missing or empty.",
    "X-API-SIGNATURE is missing or empty. Send all four: X-API-KEY, X-API-TIMESTAMP, X-API-NONCE and X-API-SIGNATURE.",
    { check: "headers", missing: "X-API-SIGNATURE" },
  ),
  INVALID_API_KEY: text("The key is unknown or disabled.", "X-API-KEY names no key of this venue.", {
    check: "key",
  }),
  INVALID_TIMESTAMP: text(
    "The timestamp is not 1 to 16 digits.",
    "X-API-TIMESTAMP must be 1 to 16 decimal digits, milliseconds since the epoch.",
    { check: "timestamp" },
  ),
  TIMESTAMP_OUT_OF_WINDOW: text(
    "The timestamp is too far from the server's clock.",
    "X-API-TIMESTAMP is 31000 ms behind this server's clock; at most 30000 ms are accepted.",
    { check: "timestamp", differenceMs: -31000, windowMs: 30000 },
  ),
  INVALID_NONCE: text(
    "The nonce is not a UUID.",
    "X-API-NONCE must be a UUID in its usual spelling, for example 9b2f6a3e-1c44-4f0b-8c5e-2f7f5c0f9a10.",
    { check: "nonce" },
  ),
  NONCE_REUSED: text(
    "The nonce was used before. A repeat needs a new one; an order keeps its client_order_id.",
    "X-API-NONCE was used before. Make a new nonce for every request, repeats included, and sign again.",
    { check: "nonce" },
  ),
  INVALID_SIGNATURE: text(
    "The signature does not verify. With diagnostics on, `details[0]` shows the text that was expected and a hint.",
    "X-API-SIGNATURE does not verify. The signature matches if the query string is included in the path.",
    { check: "signature", hint: "The signature matches if the query string is included in the path." },
  ),
  UNAUTHORIZED: text("Any of the above, while diagnostics are off.", "Unauthorized"),
  MISSING_CLAIM: text(
    "The key does not hold a claim that the route asks for.",
    "This request asks for the claim read:orders, which this key does not have. Use a key that has it.",
    { required: ["read:orders"], held: ["write:orders"] },
  ),
  FOREIGN_ORIGIN: text(
    "A web page of another origin sent the request.",
    "The Origin header is not this server's own.",
  ),
  FORBIDDEN: text(
    "The key has no client, so there is no account to read or change. An order is answered CLIENT_NOT_FOUND.",
    "This API key has no client, so there is no account to read or change. Use a key of a client",
  ),
  ROUTE_NOT_FOUND: text(
    "There is no such route. Paths are case-sensitive and end without a slash.",
    "There is no route GET /api/v1/trading/orders.",
  ),
  ORDER_NOT_FOUND: text(
    "There is no such order in this account; another client's order is as unknown as a random id.",
    "There is no order 8f14e45f-ceea-467f-a83c-91d6a2f4a001 in this account",
    { field: "id" },
  ),
  ASSET_NOT_FOUND: text("There is no such asset.", "There is no asset XYZ; GET /asset lists them", {
    field: "symbol",
  }),
  DEPOSIT_NOT_FOUND: text("There is no such deposit.", "There is no such deposit in this account", {
    field: "id",
  }),
  METHOD_NOT_ALLOWED: text(
    "The path exists, but not with this method; the header `Allow` lists the allowed ones. Checked before the credentials.",
    "There is no PATCH /api/v1/trading/order: this path takes GET, HEAD, POST.",
  ),
  REQUEST_TIMEOUT: text("The request did not arrive in time.", "The request did not arrive in time."),
  ORDER_NOT_CANCELLABLE: text(
    "The order has ended; `details[0].status` says how it ended.",
    "The order is FILLED and cannot be cancelled",
    { status: "FILLED" },
  ),
  PAYLOAD_TOO_LARGE: text(
    "The body is larger than this venue reads.",
    "The body is larger than this venue accepts.",
  ),
  URI_TOO_LONG: text("The address is longer than this venue reads.", "The request target is too long."),
  UNSUPPORTED_MEDIA_TYPE: text(
    "The body is not announced as application/json, or is compressed.",
    "The Content-Type header is missing. Send Content-Type: application/json.",
  ),
  EXPECTATION_FAILED: text(
    "The header Expect has another value than 100-continue.",
    "The expectation cannot be met.",
  ),
  MISDIRECTED_REQUEST: text(
    "The Host header names another server.",
    "This server does not answer to that name.",
  ),
  UPGRADE_REQUIRED: text(
    "The path of the stream was asked for without a WebSocket handshake, or with another version than 13.",
    "This path speaks WebSocket only. Send Upgrade: websocket.",
  ),
  RATE_LIMITED: text(
    "Too many requests. Nothing was executed; wait for Retry-After and send with a new nonce.",
    "Too many requests. Nothing was executed; try again in 1 s, with a new nonce.",
  ),
  HEADERS_TOO_LARGE: text("The headers are too many or too long.", "The request has too many headers."),
  INTERNAL_ERROR: text(
    "A bug of the venue.",
    "The venue had an internal error. Whether the request took effect is unknown: check before you repeat it.",
  ),
  NOT_READY: text(
    "The venue cannot take requests; nothing was done.",
    "Nothing was done: the venue could not write.",
  ),
  MAINTENANCE: text(
    "A fault rule of this sandbox asked for it; nothing was done.",
    "The venue is under maintenance.",
  ),
  OUTCOME_UNKNOWN: text(
    "The venue could not confirm the write. Send the order again with the same client_order_id: the answer shows whether it was executed.",
    "The outcome is unknown: the venue could not confirm the write.",
  ),
  HTTP_VERSION_NOT_SUPPORTED: text(
    "Neither HTTP/1.1 nor HTTP/1.0.",
    "HTTP/1.1 and 1.0 are supported here; the request line says HTTP/2.0.",
  ),
} as const satisfies Record<TradingCode, RefusalText>;

export const isTradingCode = (code: ErrorCode): code is TradingCode => Object.hasOwn(refusalTexts, code);
