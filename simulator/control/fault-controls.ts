/** Controls of faults. */
import { invariant } from "../domain/invariant.ts";
import { refuse, refuseProblems, success } from "../http/route.ts";
import { integer, list, maybe, section, text } from "../schema/fields.ts";
import type { Problem } from "../wire/body.ts";
import { asAsked, reservedOutcomes } from "../world/outcomes.ts";
import { FaultRuleSchema } from "../world/schema/faults.ts";
import { byPost, controlReply, controlRoute, notFound } from "./control-route.ts";
import { readFaultRules } from "./fault-rules.ts";

/** The most rules in force: a body has room for them (mount.ts). */
export const mostRules = 100;
export const tooManyRules = refuse(
  "CONFLICT",
  `There are ${mostRules} fault rules, the most there may be: remove one with DELETE /faults/rules/{rule}, or all with DELETE /faults`,
);

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

const rulesAnswered = (rules: readonly object[]) => ({
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

/** The rule is the body itself. */
const ofOne = ({ field, issue }: Problem): Problem => ({ field: field.replace(/^rules\[0\]\.?/, ""), issue });

const addFault = controlRoute({
  method: "POST",
  path: "/faults/rules",
  operationId: "addFault",
  verbs: [{ words: "fault add", args: ["id"] }],
  summary: "Add a fault rule behind those in force.",
  body: { shape: FaultRuleSchema, example: { id: "lost-answer", outcome: "LOST_ANSWER", nth: 1 } },
  answer: {
    schema: { ...FaultRuleSchema, description: "The rule that was added." },
    example: { id: "lost-answer", outcome: "LOST_ANSWER", nth: 1, route: "POST /order" },
  },
  refusals: [
    {
      code: "VALIDATION_FAILED",
      when: "The rule names something that does not exist, or can never apply.",
      body: { id: "lost-answer", outcome: "LOST_ANSWER", key: "tradre" },
      message: 'key refers to key "tradre", which does not exist; did you mean "trader"?',
      details: [
        { field: "key", issue: 'refers to key "tradre", which does not exist; did you mean "trader"?' },
      ],
    },
  ],
  run: async ({ venue }, _params, body) => {
    const { faults, keys } = venue.state;
    const rules = readFaultRules([body], { products: venue.world.products, keys });
    if (!rules.ok) return refuseProblems("VALIDATION_FAILED", rules.error.map(ofOne));
    if (faults.some(({ id }) => id === body.id))
      return refuse("CONFLICT", `There is a fault rule ${body.id} already: give the new one another id`);
    if (faults.length >= mostRules) return tooManyRules;
    const [added] = rules.value;
    const outcome = await venue.submit({ kind: "SetFaults", rules: [...faults, ...rules.value] });
    invariant(added !== undefined, "one rule was read");
    return controlReply(outcome, asAsked(added));
  },
});

const removeFault = controlRoute({
  method: "DELETE",
  path: "/faults/rules/{rule}",
  operationId: "removeFault",
  verbs: [{ words: "fault remove" }],
  summary:
    "Remove one fault rule; the others go on counting. A rule that is added under its name counts anew.",
  answer: rulesAnswered([]),
  refusals: [
    {
      code: "NOT_FOUND",
      when: "There is no such rule.",
      params: { rule: "late" },
      message: "There is no fault rule late: GET /faults lists those in force",
    },
  ],
  run: async ({ venue, drawer }, { rule: id = "" }) => {
    const rules = venue.state.faults.filter((one) => one.id !== id);
    if (rules.length === venue.state.faults.length)
      return notFound("fault rule", id, "GET /faults lists those in force");
    drawer.forget(id);
    return controlReply(await venue.submit({ kind: "SetFaults", rules }), { rules: rules.map(asAsked) });
  },
});

export const faultControls = [
  controlRoute({
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
  }),
  setFaults,
  byPost(setFaults),
  addFault,
  removeFault,
  controlRoute({
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
  }),
] as const;
