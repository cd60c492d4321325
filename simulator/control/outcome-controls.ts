/** Outcomes of orders on demand: the list of them, and the next ones of a key. */
import { nearestName } from "../domain/nearest-name.ts";
import { refuse, success } from "../http/route.ts";
import { integer, maybe, name, section, text as textIn } from "../schema/fields.ts";
import { count as countOut, flag, list, nullable, out, record, text } from "../wire/schema.ts";
import {
  type ForcedOutcome,
  forcedOutcomes,
  type GenuineOutcome,
  genuineOutcomes,
  outcomeRule,
  placing,
} from "../world/outcomes.ts";
import { type Controls, controlReply, controlRoute } from "./control-route.ts";
import { mostRules, tooManyRules } from "./fault-controls.ts";

const forcedRow = ({ code, prefix, does, about, answer }: ForcedOutcome) => ({
  code,
  forced: true,
  prefix,
  does,
  about,
  answer,
  example: { ...placing(prefix), key: "trader" },
});

const genuineRow = ({ code, does, about, answer, request, ...needs }: GenuineOutcome) => ({
  code,
  forced: false,
  prefix: null,
  does,
  about,
  answer,
  example: { ...request, key: request.key ?? "trader", ...needs },
});

const anything = (description: string) => out<object>({ type: "object", description });

const readOutcomes = controlRoute({
  method: "GET",
  path: "/outcomes",
  operationId: "listOutcomes",
  verbs: [{ words: "outcomes" }],
  summary:
    "Everything that can happen to a request, each with a request that meets it: by force (a reserved id, a fault), or genuinely.",
  answer: {
    schema: record("The outcomes.", {
      outcomes: list(
        record("An outcome.", {
          code: text("Its name. Of a forced one, `POST /outcomes/next` and fault rules take it."),
          forced: flag("Whether a fault brings it about; else the request alone does."),
          prefix: nullable(
            text("A `client_order_id` that begins so meets it; null where nothing is forced."),
          ),
          does: text("What happens."),
          about: text("The clause or the freedom behind it."),
          answer: record("What the client gets.", {
            status: nullable(countOut("HTTP status; null: the connection ends without a whole answer.")),
            type: nullable(text("`data.type` of a placement.")),
            code: nullable(text("`code` of an error.")),
            reason: nullable(text("`reason` in its details.")),
            later: nullable(
              text("Status of the order two seconds of market time later; null: there is none."),
            ),
          }),
          example: record(
            "A request of the demo world. Give each repetition another end of its `client_order_id`.",
            {
              method: text("Method."),
              path: text(
                "Path below the prefix of the gateway; `{order}` is the order that was placed before.",
              ),
              key: text("Name of the key that signs."),
              body: anything("Body."),
              text: text("Body, where it is no JSON."),
              headers: anything(
                "Headers that are changed after signing; a list: sent so often; null: left out.",
              ),
              world: anything("Members of a world file, if it needs a world of its own."),
              controls: list(anything("Method, path and body."), "Calls of the control surface before it."),
              before: list(anything("As the example itself."), "Requests before it."),
              twice: flag("The request is sent twice, byte for byte; the second answer is meant."),
            },
            ["body", "text", "headers", "world", "controls", "before", "twice"],
          ),
        }),
      ),
    }),
    example: {
      outcomes: [
        ...forcedOutcomes.slice(0, 1).map(forcedRow),
        ...genuineOutcomes().slice(-1).map(genuineRow),
      ],
    },
  },
  run: () => success({ outcomes: [...forcedOutcomes.map(forcedRow), ...genuineOutcomes().map(genuineRow)] }),
});

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

async function queue({ venue }: Controls, { code, key, count }: Queued) {
  const { faults, seq } = venue.state;
  const rule = outcomeRule(code, { id: `next-${seq + 1}`, key, count });
  if (rule === undefined && genuineOutcomes().some((one) => one.code === code))
    return refuse(
      "CONFLICT",
      `${code} needs no force, so it cannot be asked for: send the request that GET /outcomes has for it`,
    );
  if (rule === undefined)
    return unknown(
      "outcome",
      code,
      forcedOutcomes.map((one) => one.code),
      "GET /outcomes lists them",
    );
  const keys = venue.state.keys.map((one) => one.name);
  if (!keys.includes(key)) return unknown("key", key, keys, "GET /worlds/{world} lists those of a world");
  if (faults.length >= mostRules) return tooManyRules;
  return controlReply(await venue.submit({ kind: "SetFaults", rules: [...faults, rule] }), { rule: rule.id });
}

function unknown(what: string, given: string, names: readonly string[], there: string) {
  const near = nearestName(given, names);
  const meant = near === null ? "" : `did you mean ${JSON.stringify(near)}? `;
  return refuse("NOT_FOUND", `There is no ${what} ${given}: ${meant}${there}`);
}

export const outcomeControls = [readOutcomes, nextOutcomes] as const;
