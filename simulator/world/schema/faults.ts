/** Faults that a world promises from the start. */
import { courseActs } from "../../domain/fault.ts";
import { exchangeReasons } from "../../domain/rejection.ts";
import {
  integer,
  list,
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
  withDefault,
} from "../../schema/fields.ts";
import { worldDefaults } from "../defaults.ts";
import { forcedOutcomes } from "../outcomes.ts";

const plain = <const Name extends string>(value: Name, description: string) =>
  section({ kind: only(value, description) });

const externalFailure = section({
  kind: only("externalFailure", "The exchange does not answer: EXTERNAL_EXECUTION_FAILED."),
  outcome: oneOf(
    ["certain", "unknown"],
    "certain: not executed, the order is FAILED. unknown: PENDING, settled later.",
  ),
  resolvesTo: withDefault(
    oneOf(["OPEN", "FAILED"], "Outcome unknown only: the real outcome."),
    worldDefaults.fault.resolvesTo,
  ),
  afterMs: withDefault(
    milliseconds("Outcome unknown only: market time until it is known."),
    worldDefaults.fault.afterMs,
  ),
});

const delay = (description: string) => milliseconds(description, {}, 0, 600_000);

const CourseStepSchema = section(
  {
    do: oneOf(
      courseActs,
      "confirm and fail come first: the order is PENDING until then. match sends it to the market.",
    ),
    afterMs: milliseconds("Market time after the step before."),
    percent: optional(
      integer(
        1,
        100,
        "fill only: share of the quantity, of a MARKET BUY of its quote_value; all that is left when absent.",
        { unit: "percent" },
      ),
    ),
    betterBy: optional(integer(1, 1000, "fill only: ticks by which the price is better.", { unit: "ticks" })),
  },
  "A step of the course.",
);

export const FaultSchema = taggedBy(
  "kind",
  [
    externalFailure,
    plain("internalFailure", "The gateway itself fails after acceptance: INTERNAL_EXECUTION_FAILED."),
    plain("clientNotFound", "The answer CLIENT_NOT_FOUND, although the client exists."),
    plain("stuckPending", "The order is PENDING and is never confirmed."),
    section({
      kind: only("rejectByExchange", "400 EXCHANGE_REJECTED."),
      reason: oneOf(exchangeReasons, "The reason the exchange gives."),
    }),
    plain("neverSync", "synced stays false for ever."),
    section({
      kind: only("staleReads", "Reads show the order as it was a while ago: the stream is ahead of them."),
      ms: milliseconds("How long ago, in market time.", {}, 1, 86_400_000),
    }),
    section({
      kind: only("lateSync", "synced turns true later than the setting says."),
      ms: milliseconds("How long after each change, in market time."),
    }),
    section({
      kind: only(
        "course",
        "The order is kept from the market, and this happens to it. One that cannot follow the steps does not match.",
      ),
      steps: list(CourseStepSchema, "In order; none: it stays OPEN, and nothing matches it.", {
        maxItems: 20,
      }),
    }),
    section({
      kind: only("stuckCancel", "A cancel of the order is accepted and does not take effect."),
      refusedAfterMs: optional(
        milliseconds("Market time until the exchange refuses it; never when absent.", {}, 0, 86_400_000),
      ),
    }),
    plain("doubleEvents", "The stream sends each event of the order twice, with the same number."),
    section({
      kind: only("delay", "The answer comes late."),
      ms: delay("How late, in real time."),
    }),
    plain("streamDrop", "A message of the stream is numbered and lost."),
    plain("streamDuplicate", "A message of the stream is sent twice, with the same number."),
    plain("streamReorder", "A message of the stream is sent after the next one."),
    section({
      kind: only("streamStall", "A connection of the stream says nothing for a while."),
      ms: delay("How long, in real time."),
    }),
    section({
      kind: only("streamSlow", "What a connection of the stream sends comes late, and in bundles."),
      ms: delay("How late at the most, in real time."),
    }),
    plain("streamClose", "A connection of the stream is cut without a close frame."),
    section({
      kind: only("delayResponse", "Executed at once, answered late: events come before the answer."),
      ms: delay("How late, in real time."),
    }),
    plain("dropConnectionBefore", "The connection is closed and nothing is executed."),
    plain("dropConnectionAfter", "The order is executed and the connection is closed without an answer."),
    plain("resetConnectionBefore", "The connection is reset (TCP RST) and nothing is executed."),
    plain("resetConnectionAfter", "The order is executed and the connection is reset (TCP RST)."),
    plain("cutBody", "Executed; half of the answer's body is sent, then the connection ends."),
    section({
      kind: only("status", "An HTTP error, and nothing is executed."),
      status: oneNumberOf([429, 500, 503], "The HTTP status."),
      code: optional(oneOf(["NOT_READY", "OUTCOME_UNKNOWN"], "503 only: the code in place of MAINTENANCE.")),
      body: optional(only("none", "The answer has no body; left out: the body of an error.")),
    }),
  ],
  "What goes wrong.",
);

export const FaultRuleSchema = section(
  {
    id: name("Name of the rule."),
    fault: optional(FaultSchema),
    outcome: optional(
      oneOf(
        forcedOutcomes.map(({ code }) => code),
        "In place of a fault: the code of an outcome on demand.",
      ),
    ),
    route: optional(
      patterned(
        "^(GET|POST|DELETE) /[A-Za-z0-9/{}_-]*$",
        'must be a method and a route, such as "POST /order" or "GET /order/{id}"',
        "Route that it applies to. Left out: every route (faults of an order: POST /order).",
      ),
    ),
    product: optional(productId("Only orders for this product.")),
    clientOrderIdPrefix: optional(
      patterned(
        "^[0-9a-f-]{1,36}$",
        "must be the beginning of a UUID in lower case",
        "Only orders whose client_order_id begins with this.",
      ),
    ),
    key: optional(text(40, "Only requests signed with the key of this name.")),
    nth: optional(integer(1, 1_000_000_000, "Only the nth matching request, counted from 1.")),
    percent: optional(integer(1, 100, "Chance, drawn from the seed.", { unit: "percent" })),
    count: optional(integer(1, 1_000_000_000, "How many times at most.")),
  },
  "A fault or an outcome, and when it applies; every condition given must hold.",
);
