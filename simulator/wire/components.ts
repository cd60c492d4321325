/**
 * Every record of the wire as a schema. A test holds each against fixtures/spec/fields.yaml (names, types, nullability,
 * enumerations), and another against what the routes really send.
 */
import { exchangeReasons } from "../domain/rejection.ts";
import type { Schema, Shape } from "../schema/fields.ts";
import { accountComponents } from "./account-components.ts";
import { marketComponents } from "./market-components.ts";
import { orderComponents, orderStatuses } from "./order-components.ts";
import {
  always,
  count,
  decimal,
  flag,
  list,
  mapOf,
  nullable,
  oneOfText,
  out,
  partial,
  record,
  ref,
  text,
  time,
} from "./schema.ts";

const pagination = record("Where the next page is.", {
  nextCursor: nullable(text("Pass it as `cursor` with the same filters; null on the last page.")),
  hasNext: flag("Whether there is a next page."),
  sortDirection: oneOfText("Direction of the list.", ["ASC", "DESC"]),
});

const parts = (description: string) => mapOf(ref("HealthComponent"), description);

const detail = {
  field: text("Field or parameter that is wrong; empty for the body as a whole."),
  issue: text("What is wrong with it."),
  value: out<unknown>({
    type: ["string", "number", "boolean", "object", "array", "null"],
    items: {},
    description: "What was found, cut when it is long.",
  }),
  reason: oneOfText("With EXCHANGE_REJECTED: why.", exchangeReasons),
  limit: decimal("With a size error and with EXCHANGE_REJECTED: the limit that was passed."),
  asset: text("With a size error and with EXCHANGE_REJECTED: the asset that amounts are in."),
  needed: decimal("With INSUFFICIENT_FUNDS: what the order can cost."),
  available: decimal("With INSUFFICIENT_FUNDS: what the wallet has left."),
  source: oneOfText("With a size error: whose limit it is.", ["CLIENT", "PRODUCT", "EXCHANGE"]),
  status: oneOfText("With ORDER_NOT_CANCELLABLE: status of the order.", orderStatuses),
  check: text("With a 401: the check that failed. Diagnostics can be switched off."),
  expectedCanonical: text("With INVALID_SIGNATURE: the text that this venue verified against."),
  hint: text("With INVALID_SIGNATURE: the mistake it looks like."),
};

/** The envelope of a success, closed around its payload; `success` is false for a venue that is not ready. */
export const envelopeSchema = (statusCode: number, data: Shape<unknown>, success = true): Schema =>
  record("The response envelope.", {
    statusCode: always("HTTP status code.", statusCode),
    success: always("Whether the request succeeded.", success),
    message: text("Status in a few words."),
    data,
  });

const components = {
  ...orderComponents,
  Pagination: pagination,
  ...marketComponents,
  ...accountComponents,
  Health: record("State of the venue.", {
    status: text("`ok` or `error`."),
    info: parts("Components that are up."),
    error: parts("Components that are down."),
    details: parts("All components."),
    version: always("Interface version.", "1.0"),
    serverTime: time("Real time of the venue: lets a client measure its clock without a signature."),
  }),
  HealthComponent: record("State of one component.", { status: oneOfText("State.", ["up", "down"]) }),
  ErrorBody: record("Every refusal. `message` is for people, `code` for programs.", {
    statusCode: count("HTTP status code."),
    success: always("Always false.", false),
    message: text("What was expected, what was found, and what to do."),
    error: text("Reason phrase of the status."),
    code: text("Stable code of the refusal."),
    details: list(ref("ErrorDetail"), "Facts: field, issue, value, limit, reason …"),
    timestamp: time("Market time of the venue."),
    path: text("Path of the request."),
    requestId: text("Echo of X-Request-Id, or one that the venue made."),
  }),
  ErrorDetail: {
    ...partial("Facts of a refusal. Which there are depends on its code; others may be added.", detail),
    additionalProperties: true,
  },
} satisfies Readonly<Record<string, Schema>>;

export const schemaComponents: Readonly<Record<string, Schema>> = components;

/** The values of a component. */
export type Component<N extends keyof typeof components> =
  (typeof components)[N] extends Shape<infer T> ? T : never;

/** A component of the documents, with the type of its values. */
export const component = <N extends keyof typeof components>(name: N) => ref<Component<N>>(name);
