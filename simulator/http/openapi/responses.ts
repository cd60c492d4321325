/** Responses of an operation: the success in its envelope, and one entry per status for the refusals. */
import type { Schema, Shape } from "../../schema/fields.ts";
import { envelopeSchema } from "../../wire/components.ts";
import { list, ref } from "../../wire/schema.ts";
import { type ErrorCode, errorStatus, reasons } from "../errors.ts";
import { ignoredHeader } from "../ignored.ts";
import type { Route } from "../route.ts";
import { orderOutcomes, records } from "./examples.ts";
import { isTradingCode, type RefusalText, refusalTexts, type TradingCode } from "./refusal-texts.ts";

export type Node = Readonly<Record<string, unknown>>;

const text: Schema = { type: "string" };
const whole: Schema = { type: "integer", minimum: 0 };

export const headerSet: Readonly<Record<string, Node>> = {
  "X-Request-Id": {
    description: "Echo of the request's X-Request-Id, or an id that the venue made.",
    schema: text,
    example: "req-00000001",
  },
  "X-API-Version": { description: "Interface version.", schema: { type: "string", const: "1.0" } },
  "X-RateLimit-Limit": {
    description: "Requests that may be sent at once. Sent where rates are limited.",
    schema: whole,
  },
  "X-RateLimit-Remaining": { description: "Requests left now.", schema: whole },
  "X-RateLimit-Reset": { description: "Seconds until all of them are back.", schema: whole },
  "Retry-After": {
    description: "Seconds to wait; waiting that long is enough.",
    schema: { type: "integer", minimum: 1 },
    example: 1,
  },
  [ignoredHeader]: {
    description:
      "Names parts of the request that were not used: unknown fields of the body, fields that the type of the order does not " +
      "use, and query parameters where unknown ones are ignored. Sent where there are any.",
    schema: text,
    example: "time_in_force, quote_value",
  },
  "WWW-Authenticate": {
    description: "The challenge of a 401.",
    schema: text,
    example: 'HMAC-SHA256 realm="trading"',
  },
};

const always = ["X-Request-Id", "X-API-Version"];
const limitedVenue = [
  ...always,
  ignoredHeader,
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];

function headersOf(status: number, signed: boolean): Node {
  const more =
    status === 401 ? ["WWW-Authenticate"] : status === 429 || status === 503 ? ["Retry-After"] : [];
  // Before a signature has verified, there is no key whose limit could be told.
  const names = [...(signed && status !== 401 ? limitedVenue : always), ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

export interface Success {
  readonly status: number;
  readonly description: string;
  readonly data: Shape<unknown>;
  readonly examples: Readonly<Record<string, { readonly message: string; readonly data: unknown }>>;
  readonly signed: boolean;
}

/** `success` is false for a probe that reports trouble: the same envelope under a status of failure. */
export function enveloped({ status, description, data, examples, signed }: Success, success = true): Node {
  const shown = Object.entries(examples).map(([name, { message, data: payload }]): [string, Node] => [
    name,
    { value: { statusCode: status, success, message, data: payload } },
  ]);
  return {
    description,
    headers: headersOf(status, signed),
    content: {
      "application/json": {
        schema: envelopeSchema(status, data, success),
        examples: Object.fromEntries(shown),
      },
    },
  };
}

export function successOf({ response: { status, schema, list: isList }, operationId }: Route): Node {
  const record = records[schema];
  const named = { [schema]: { message: messageOf(operationId), data: isList === true ? [record] : record } };
  return enveloped({
    status,
    description: reasons[status] ?? "Success",
    data: isList === true ? list(ref(schema)) : ref(schema),
    examples: schema === "OrderResult" ? orderOutcomes : named,
    signed: true,
  });
}

const messages: Readonly<Record<string, string>> = {
  cancelOrder: "Order cancelled",
  cancelOrderByPost: "Order cancelled",
  createDepositAddress: "Deposit address created",
};

const messageOf = (operationId: string): string => messages[operationId] ?? "OK";

const signedCodes: readonly TradingCode[] = [
  "MISSING_CREDENTIALS",
  "INVALID_API_KEY",
  "INVALID_TIMESTAMP",
  "TIMESTAMP_OUT_OF_WINDOW",
  "INVALID_NONCE",
  "NONCE_REUSED",
  "INVALID_SIGNATURE",
  "UNAUTHORIZED",
  "MISSING_CLAIM",
  "RATE_LIMITED",
  "INTERNAL_ERROR",
  "NOT_READY",
  "MAINTENANCE",
  "OUTCOME_UNKNOWN",
];
const bodyCodes: readonly TradingCode[] = [
  "MALFORMED_JSON",
  "JSON_NOT_ACCEPTED",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
];
const noBodyCodes: readonly TradingCode[] = ["UNEXPECTED_BODY"];
const queryCodes: readonly TradingCode[] = ["INVALID_QUERY"];

/** On a read the product is part of the address: an unknown one is 404 there (F-unknown-product). */
export const statusOn = (method: Route["method"], code: ErrorCode): number =>
  code === "PRODUCT_NOT_FOUND" && method === "GET" ? 404 : errorStatus[code];

/** Shared responses: the same on every operation that has them. */
const shared: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  429: "TooManyRequests",
  500: "InternalError",
  503: "Unavailable",
};

export function refusalsOf(route: Route): Node {
  const ofBody = route.request === undefined ? noBodyCodes : bodyCodes;
  const codes = [...route.refusals, ...queryCodes, ...ofBody, ...signedCodes];
  const byStatus = new Map<number, TradingCode[]>();
  for (const code of codes) {
    if (!isTradingCode(code)) continue;
    const status = statusOn(route.method, code);
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const entries = [...byStatus].map(([status, held]): [string, Node] => {
    const name = shared[status];
    return [
      String(status),
      name === undefined ? refusalResponse(status, held) : { $ref: `#/components/responses/${name}` },
    ];
  });
  return Object.fromEntries(entries);
}

export function sharedResponses(): Node {
  const codes = [...signedCodes, ...bodyCodes];
  const entries = Object.entries(shared).map(([status, name]): [string, Node] => [
    name,
    refusalResponse(
      Number(status),
      codes.filter((code) => errorStatus[code] === Number(status)),
    ),
  ]);
  return Object.fromEntries(entries);
}

/** Refusals of an unsigned probe: the rules of HTTP itself. */
const openCodes: readonly TradingCode[] = ["MALFORMED_REQUEST", "DUPLICATE_HEADER", "UNEXPECTED_BODY"];
export const openRefusals = (): Node => ({ 400: refusalResponse(400, openCodes, false) });

function refusalResponse(status: number, codes: readonly TradingCode[], signed = true): Node {
  const examples = codes.map((code): [string, Node] => [
    code,
    { $ref: `#/components/examples/${exampleName(code, status)}` },
  ]);
  return refused(status, codes, Object.fromEntries(examples), signed);
}

/** All refusals of one status. */
export const refused = (
  status: number,
  codes: readonly ErrorCode[],
  examples: Node,
  signed: boolean,
): Node => ({
  description: `${reasons[status]}: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
  headers: headersOf(status, signed),
  content: { "application/json": { schema: ref("ErrorBody"), examples } },
});

const exampleName = (code: TradingCode, status: number): string =>
  errorStatus[code] === status ? code : `${code}_${status}`;

/** One example per code and status that some operation has. */
export function refusalExamples(routes: readonly Route[]): Node {
  const needed = new Map<string, Node>();
  const add = (code: ErrorCode, status: number): void => {
    if (isTradingCode(code)) needed.set(exampleName(code, status), errorExample(code, status));
  };
  for (const code of [...signedCodes, ...bodyCodes, ...queryCodes, ...openCodes])
    add(code, errorStatus[code]);
  for (const { method, refusals } of routes) for (const code of refusals) add(code, statusOn(method, code));
  return Object.fromEntries([...needed].sort(([a], [b]) => (a < b ? -1 : 1)));
}

const errorExample = (code: TradingCode, status: number): Node =>
  refusalExample(code, status, "/api/v1/trading/order", refusalTexts[code]);

export function refusalExample(
  code: ErrorCode,
  status: number,
  path: string,
  { when, message, details = [] }: RefusalText,
): Node {
  return {
    summary: when,
    value: {
      statusCode: status,
      success: false,
      message,
      error: reasons[status],
      code,
      details,
      timestamp: "2026-01-01T00:00:00.000Z",
      path,
      requestId: "req-00000001",
    },
  };
}
