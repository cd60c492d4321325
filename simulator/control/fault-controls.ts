/** Controls of faults. */
import { refuseProblems, success } from "../http/route.ts";
import { integer, list, maybe, section, text } from "../schema/fields.ts";
import { asAsked, reservedOutcomes } from "../world/outcomes.ts";
import { FaultRuleSchema } from "../world/schema/faults.ts";
import { type Answered, byPost, type ControlRoute, controlReply, controlRoute } from "./control-route.ts";
import { readFaultRules } from "./fault-rules.ts";

/** A body has room for so many (mount.ts). */
const mostRules = 100;

const rulesSection = section({
  rules: list(
    FaultRuleSchema,
    "All rules; of those that match, the first fault of an order and the first of the wire apply.",
    { maxItems: mostRules },
  ),
  counts: maybe(
    list(
      section({
        id: text(40, "Id of the rule."),
        matched: integer(0, Number.MAX_SAFE_INTEGER, "Requests or messages that it has met."),
        fired: integer(0, Number.MAX_SAFE_INTEGER, "How often its fault was drawn for one."),
      }),
      "How often each rule matched and fired, those of reserved ids included once they did. Not read by PUT.",
    ),
  ),
});

const rulesAnswered = (rules: readonly object[]): Answered => ({
  schema: { ...rulesSection, description: "The rules in force." },
  example: { rules },
});

const rule = { id: "lost", fault: { kind: "dropConnectionAfter" }, route: "POST /order", nth: 2 } as const;

const setFaults = controlRoute({
  method: "PUT",
  path: "/faults",
  operationId: "setFaults",
  verbs: [{ words: "faults set", file: true }],
  summary:
    "Replace the fault rules. The drawn fault is journaled with the order, so a replay needs no rules.",
  body: { shape: rulesSection, example: { rules: [rule] } },
  answer: rulesAnswered([rule]),
  refusals: [
    {
      code: "VALIDATION_FAILED",
      when: "A rule names something that does not exist, or can never apply.",
      body: { rules: [{ ...rule, route: "POST /orders" }] },
      message:
        'rules[0].route must be a route of the gateway, was "POST /orders"; did you mean "POST /order"?',
      details: [
        {
          field: "rules[0].route",
          issue: 'must be a route of the gateway, was "POST /orders"; did you mean "POST /order"?',
        },
      ],
    },
  ],
  run: async ({ venue, drawer }, _params, body) => {
    const rules = readFaultRules(body.rules, { products: venue.world.products, keys: venue.state.keys });
    if (!rules.ok) return refuseProblems("VALIDATION_FAILED", rules.error);
    drawer.forget();
    return controlReply(await venue.submit({ kind: "SetFaults", rules: rules.value }), {
      rules: rules.value.map(asAsked),
    });
  },
});

export const faultControls: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/faults",
    operationId: "readFaults",
    verbs: [{ words: "faults" }],
    summary: "Fault rules in force, and how often each matched and fired.",
    answer: {
      schema: { ...rulesSection, description: "The rules in force." },
      example: { rules: [rule], counts: [{ id: "lost", matched: 3, fired: 1 }] },
    },
    run: ({ venue: { state }, drawer }) => {
      const met = drawer.countsOf(reservedOutcomes).filter(({ matched }) => matched > 0);
      return success({
        rules: state.faults.map(asAsked),
        counts: [...drawer.countsOf(state.faults), ...met],
      });
    },
  },
  setFaults,
  byPost(setFaults),
  {
    method: "DELETE",
    path: "/faults",
    operationId: "clearFaults",
    verbs: [{ words: "faults clear" }],
    summary:
      "Remove all fault rules, those of the world included. The reserved client_order_id prefixes stay.",
    answer: rulesAnswered([]),
    run: async ({ venue, drawer }) => {
      drawer.forget();
      return controlReply(await venue.submit({ kind: "SetFaults", rules: [] }), { rules: [] });
    },
  },
];
