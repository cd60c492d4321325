/** Faults that a world promises from the start. */
import { EXCHANGE_REASONS } from "../../domain/rejection.ts";
import { DEFAULTS } from "../defaults.ts";
import {
  integer,
  milliseconds,
  name,
  oneNumberOf,
  oneOf,
  only,
  optional,
  patterned,
  productId,
  section,
  taggedBy,
  text,
} from "./fields.ts";

const plain = <const Name extends string>(value: Name, description: string) =>
  section({ kind: only(value, description) });

const externalFailure = section({
  kind: only("externalFailure", "The exchange does not answer: EXTERNAL_EXECUTION_FAILED."),
  outcome: oneOf(["certain", "unknown"], {
    description: "certain: not executed, the order is FAILED. unknown: PENDING, settled later.",
  }),
  resolvesTo: optional(
    oneOf(["OPEN", "FAILED"], {
      description: "Outcome unknown only: what turns out to be true.",
      default: DEFAULTS.fault.resolvesTo,
    }),
  ),
  afterMs: optional(
    milliseconds({
      description: "Outcome unknown only: market time until it is known.",
      default: DEFAULTS.fault.afterMs,
    }),
  ),
});

export const FaultSchema = taggedBy(
  "kind",
  [
    externalFailure,
    plain("internalFailure", "The gateway itself fails after acceptance: INTERNAL_EXECUTION_FAILED."),
    plain("clientNotFound", "The answer CLIENT_NOT_FOUND, although the client exists."),
    plain("stuckPending", "The order is PENDING and is never confirmed."),
    section({
      kind: only("rejectByExchange", "400 EXCHANGE_REJECTED."),
      reason: oneOf(EXCHANGE_REASONS, {
        description: "The reason the exchange gives.",
      }),
    }),
    plain("neverSync", "synced stays false for ever."),
    section({
      kind: only("delay", "The answer comes late."),
      ms: milliseconds({ description: "How late, in real time." }, 0, 600_000),
    }),
    plain("streamDrop", "A message of the stream is numbered and lost."),
    plain("streamDuplicate", "A message of the stream is sent twice, with the same number."),
    plain("streamReorder", "A message of the stream is sent behind the next one."),
    section({
      kind: only("streamStall", "A connection of the stream says nothing for a while."),
      ms: milliseconds({ description: "How long, in real time." }, 0, 600_000),
    }),
    plain("streamClose", "A connection of the stream is cut without a word."),
    section({
      kind: only("delayResponse", "Executed at once, answered late: events come before the answer."),
      ms: milliseconds({ description: "How late, in real time." }, 0, 600_000),
    }),
    plain("dropConnectionBefore", "The connection is closed and nothing is executed."),
    plain("dropConnectionAfter", "The order is executed and the connection is closed without an answer."),
    section({
      kind: only("status", "An HTTP error, and nothing is executed."),
      status: oneNumberOf([429, 500, 503], { description: "The HTTP status." }),
    }),
  ],
  { description: "What goes wrong." },
);

export const FaultRuleSchema = section(
  {
    id: name({ description: "Name of the rule." }),
    fault: FaultSchema,
    route: optional(
      patterned(
        "^(GET|POST|DELETE) /[A-Za-z0-9/{}_-]*$",
        'must be a method and a route, such as "POST /order" or "GET /order/{id}"',
        {
          description: "Route that it applies to. Left out: every route (faults of an order: POST /order).",
        },
      ),
    ),
    product: optional(productId({ description: "Only orders for this product." })),
    clientOrderIdPrefix: optional(
      patterned("^[0-9a-f-]{1,36}$", "must be the beginning of a UUID in lower case", {
        description: "Only orders whose client_order_id begins with this.",
      }),
    ),
    key: optional(text(40, { description: "Only requests signed with the key of this name." })),
    nth: optional(
      integer(1, 1_000_000_000, { description: "Only the nth matching request, counted from 1." }),
    ),
    percent: optional(integer(1, 100, { description: "Chance, drawn from the seed.", unit: "percent" })),
    count: optional(integer(1, 1_000_000_000, { description: "How many times at most." })),
  },
  "A fault and when it applies; every condition given must hold.",
);
