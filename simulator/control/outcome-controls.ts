/** Outcomes of orders on demand: the list of them, and the next ones of a key. */
import type { FaultRule } from "../domain/fault.ts";
import { nearestName } from "../domain/nearest-name.ts";
import { type Reply, refuse, success } from "../http/route.ts";
import { integer, maybe, name, section, text as textIn } from "../schema/fields.ts";
import { list, record, text } from "../wire/schema.ts";
import { type ForcedOutcome, forcedOutcomes } from "../world/outcomes.ts";
import { type ControlRoute, type Controls, controlReply, controlRoute } from "./control-route.ts";

/** Rules in force at the most: a list has to fit into the body that sets it. */
const mostRules = 100;

const rowOf = ({ code, prefix, does, about }: ForcedOutcome) => ({
  code,
  prefix,
  does,
  about,
  example: {
    method: "POST",
    path: "/order",
    body: {
      product: "BTC-USD",
      side: "BUY",
      type: "LIMIT",
      base_quantity: "0.001",
      price: "50000",
      client_order_id: `${prefix}-0000-4000-8000-000000000001`,
    },
  },
});

const readOutcomes: ControlRoute = {
  method: "GET",
  path: "/outcomes",
  operationId: "listOutcomes",
  verbs: [{ words: "outcomes" }],
  summary: "Outcomes of an order that can be asked for, each with a request that meets it.",
  answer: {
    schema: record("The outcomes.", {
      outcomes: list(
        record("An outcome.", {
          code: text("Its name."),
          prefix: text("A `client_order_id` that begins so meets it."),
          does: text("What happens."),
          about: text("The clause or the freedom behind it."),
          example: record("A request.", {
            method: text("Method."),
            path: text("Path below the prefix of the gateway."),
            body: {
              type: "object",
              description: "Body; give each repetition another end of its `client_order_id`.",
            },
          }),
        }),
      ),
    }),
    example: { outcomes: forcedOutcomes.slice(0, 1).map(rowOf) },
  },
  run: () => success({ outcomes: forcedOutcomes.map(rowOf) }),
};

const nextOutcomes = controlRoute({
  method: "POST",
  path: "/outcomes/next",
  operationId: "queueOutcome",
  verbs: [{ words: "outcomes next", args: ["code"] }],
  summary: "Give the next orders of a key an outcome, as a fault rule behind those in force.",
  body: {
    shape: section({
      code: textIn(40, "Code of the outcome; GET /outcomes lists them."),
      key: name("Name of the key."),
      count: maybe(integer(1, 10_000, "How many orders; one when absent or null.", { unit: "orders" })),
    }),
    example: { code: "STUCK_PENDING", key: "trader", count: 2 },
  },
  answer: {
    schema: record("What was set.", { rule: text("Id of the fault rule.") }),
    example: { rule: "next-1" },
  },
  refusals: [
    {
      code: "NOT_FOUND",
      when: "There is no such outcome.",
      body: { code: "STUCK_PENDNIG", key: "trader" },
      message: 'There is no outcome STUCK_PENDNIG: did you mean "STUCK_PENDING"? GET /outcomes lists them',
    },
    {
      code: "NOT_FOUND",
      when: "There is no such key.",
      body: { code: "STUCK_PENDING", key: "tradre" },
      message: 'There is no key tradre: did you mean "trader"? GET /worlds/{world} lists those of a world',
    },
  ],
  run: (controls, _params, { code, key, count }) => queue(controls, { code, key, count: count ?? 1 }),
});

interface Queued {
  readonly code: string;
  readonly key: string;
  readonly count: number;
}

async function queue({ venue }: Controls, { code, key, count }: Queued): Promise<Reply> {
  const outcome = forcedOutcomes.find((one) => one.code === code);
  if (outcome === undefined)
    return unknown(
      "outcome",
      code,
      forcedOutcomes.map((one) => one.code),
      "GET /outcomes lists them",
    );
  const keys = venue.world.keys.map((one) => one.name);
  if (!keys.includes(key)) return unknown("key", key, keys, "GET /worlds/{world} lists those of a world");
  const { faults, seq } = venue.state;
  if (faults.length >= mostRules)
    return refuse(
      "CONFLICT",
      `There are ${mostRules} fault rules, the most there may be: DELETE /faults first`,
    );
  const rule: FaultRule = { id: `next-${seq + 1}`, route: "POST /order", key, count, fault: outcome.fault };
  return controlReply(await venue.submit({ kind: "SetFaults", rules: [...faults, rule] }), { rule: rule.id });
}

function unknown(what: string, given: string, names: readonly string[], there: string): Reply {
  const near = nearestName(given, names);
  const meant = near === null ? "" : `did you mean ${JSON.stringify(near)}? `;
  return refuse("NOT_FOUND", `There is no ${what} ${given}: ${meant}${there}`);
}

export const outcomeControls: readonly ControlRoute[] = [readOutcomes, nextOutcomes];
