/** Responses of an operation: the success in its envelope, and one entry per status for the refusals. */
import type { Schema } from "../../schema/fields.ts";
import { envelopeSchema } from "../../wire/components.ts";
import { out, ref } from "../../wire/schema.ts";
import { type ErrorCode, reasons } from "../errors.ts";
import { ignoredHeader } from "../ignored.ts";
import type { RefusalText } from "./refusal-texts.ts";

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
  readonly data: Schema;
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
        schema: envelopeSchema(status, out(data), success),
        examples: Object.fromEntries(shown),
      },
    },
  };
}

/** A refusal as an operation shows it. */
export interface Shown extends RefusalText {
  readonly code: ErrorCode;
  readonly status: number;
  readonly path: string;
}

export interface RefusalStyle {
  /** Names of the responses that are the same on every operation that has them, by status. */
  readonly shared: Readonly<Record<number, string>>;
  readonly signed: boolean;
  /** An example in its place, or a reference to it. */
  readonly example: (shown: Shown) => Node;
}

/** One response for each status. */
export function refusalResponses(style: RefusalStyle, all: readonly Shown[]): Node {
  const statuses = [...new Set(all.map(({ status }) => status))];
  return Object.fromEntries(
    statuses.map((status): [number, Node] => {
      const name = style.shared[status];
      return [
        status,
        name === undefined ? refusals(style, status, all) : { $ref: `#/components/responses/${name}` },
      ];
    }),
  );
}

/** The responses that operations share. */
export const sharedResponses = (style: RefusalStyle, all: readonly Shown[]): Node =>
  Object.fromEntries(
    Object.entries(style.shared).map(([status, name]) => [name, refusals(style, Number(status), all)]),
  );

function refusals({ signed, example }: RefusalStyle, status: number, all: readonly Shown[]): Node {
  const shown = all.filter((one) => one.status === status);
  const codes = [...new Set(shown.map(({ code }) => code))];
  const examples: Record<string, Node> = {};
  for (const one of shown)
    examples[one.code in examples ? `${one.code}_${Object.keys(examples).length}` : one.code] = example(one);
  return {
    description: `${reasons[status]}: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: headersOf(status, signed),
    content: { "application/json": { schema: ref("ErrorBody"), examples } },
  };
}

export function refusalExample({ code, status, path, when, message, details = [] }: Shown): Node {
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
