/** Levers of the venue as a whole: health, clock, faults, settings, journal. */
import { DEFAULT_SETTINGS, type Settings } from "../domain/settings.ts";
import { stateHash } from "../engine/snapshot.ts";
import { type Reply, refuse, refuseProblems, success } from "../http/route.ts";
import { isoTime } from "../wire/envelope.ts";
import type { Problem } from "../wire/order-request.ts";
import { parseInstant } from "../wire/query.ts";
import { INSTANT } from "../wire/query-fields.ts";
import { count, nullable, oneOfText, record, text, time } from "../wire/schema.ts";
import { spellPath } from "../world/problem.ts";
import { FaultRuleSchema } from "../world/schema/faults.ts";
import { integer, list, patterned, section, type ValueOf } from "../world/schema/fields.ts";
import { SettingsSchema } from "../world/schema/settings.ts";
import { DEFAULT_SERVER_SETTINGS } from "../world/server-settings.ts";
import {
  type Answered,
  type ControlRoute,
  type Controls,
  controlReply,
  lever,
  maybe,
} from "./control-route.ts";
import { readFaultRules } from "./fault-rules.ts";

const HASH = "5f1c9f0fd3a57a4a0a0e0c1f4f3b6a0d2c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f";
const START = "2026-01-01T00:00:00.000Z";

const HEALTH: ControlRoute = {
  method: "GET",
  path: "/health",
  operationId: "readHealth",
  summary: "How the venue is: version, mode, seed, sequence number, chain hash. Asks for no token.",
  open: true,
  answer: {
    schema: record("How the venue is.", {
      version: text("Version of the simulator."),
      mode: text("`running`, or why it takes no orders."),
      trouble: nullable(text("What is wrong, for a person.")),
      seed: count("Seed of the world."),
      worldDigest: text("SHA-256 of the world."),
      epoch: count("How many times the database was opened."),
      seq: count("Entries of the journal."),
      hash: text("Hash over the journal."),
      marketTime: time("Market time of the last entry."),
      clock: oneOfText("Whether market time is real time.", ["real", "manual"]),
    }),
    example: {
      version: "0.1.0",
      mode: "running",
      trouble: null,
      seed: 1,
      worldDigest: HASH,
      epoch: 1,
      seq: 0,
      hash: HASH,
      marketTime: START,
      clock: "manual",
    },
  },
  run: ({ venue, version }) =>
    success({
      version,
      mode: venue.mode,
      trouble: venue.trouble,
      seed: venue.world.seed,
      worldDigest: venue.world.digest,
      epoch: venue.epoch,
      seq: venue.state.seq,
      hash: venue.hash,
      marketTime: isoTime(venue.state.now),
      clock: venue.clock.mode,
    }),
};

const CLOCK = {
  mode: oneOfText("Whether market time is real time.", ["real", "manual"]),
  now: time("Market time."),
  nextDue: nullable(time("When something falls due next; null when nothing does.")),
};

function clockView({ venue }: Controls): Record<string, unknown> {
  const due = venue.nextDueAt;
  return {
    mode: venue.clock.mode,
    now: isoTime(venue.clock.now()),
    nextDue: due === null ? null : isoTime(due),
  };
}

const READ_CLOCK: ControlRoute = {
  method: "GET",
  path: "/clock",
  operationId: "readClock",
  summary: "The market clock and what falls due next.",
  answer: {
    schema: record("The market clock.", CLOCK),
    example: { mode: "manual", now: START, nextDue: null },
  },
  run: (controls) => success(clockView(controls)),
};

/** Years of four digits, as the wire writes them. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);

/** The longest way on the market clock that one call can ask for: a typing error shall not run it for a thousand years. */
const LONGEST_MOVE_MS = 366 * 24 * 3600 * 1000;

const ClockMove = section({
  advanceMs: maybe(integer(0, LONGEST_MOVE_MS, { description: "How far; or give `to`.", unit: "ms" })),
  to: maybe(
    patterned(INSTANT, "must be an ISO 8601 time with a zone, for example 2026-01-01T00:00:00.000Z", {
      description: "Until when; or give `advanceMs`.",
    }),
  ),
});

const MOVE_CLOCK = lever({
  method: "POST",
  path: "/clock",
  operationId: "moveClock",
  summary: "Move a manual market clock; everything that falls due on the way has happened when this answers.",
  body: { shape: ClockMove, example: { advanceMs: 60_000 } },
  answer: {
    schema: record("The market clock, and what the move wrote.", {
      ...CLOCK,
      entries: count("Entries of the journal that the move wrote."),
    }),
    example: { mode: "manual", now: "2026-01-01T00:01:00.000Z", nextDue: null, entries: 1 },
  },
  refusals: [
    {
      code: "VALIDATION_FAILED",
      when: "Both members, or none, or a time that has passed.",
      body: {},
      message: "give either advanceMs or to, not both",
      details: [{ field: "", issue: "give either advanceMs or to, not both" }],
    },
  ],
  run: (controls, _params, move) => controls.venue.inTurn(() => moveClock(controls, move)),
});

async function moveClock(controls: Controls, { advanceMs, to }: ValueOf<typeof ClockMove>): Promise<Reply> {
  const { venue } = controls;
  if (venue.clock.mode !== "manual")
    return refuse(
      "CLOCK_IS_REAL",
      "The market clock follows real time: start with --clock manual to move it",
    );
  const wrong = (field: string, issue: string): Reply =>
    refuseProblems("VALIDATION_FAILED", [{ field, issue }]);
  const by = advanceMs ?? null;
  const until = to ?? null;
  if ((by === null) === (until === null)) return wrong("", "give either advanceMs or to, not both");
  const now = venue.clock.now();
  const target = until === null ? now + (by ?? 0) : parseInstant(until);
  if (target === null) return wrong("to", "must be a day and an hour that exist");
  if (target < now) return wrong("to", `must not be before the clock, which shows ${isoTime(now)}`);
  if (target - now > LONGEST_MOVE_MS || target > LAST_MOMENT) {
    const field = until === null ? "advanceMs" : "to";
    return wrong(field, `must be 366 days at the most, and not lead beyond ${isoTime(LAST_MOMENT)}`);
  }
  const entries = await venue.advanceTo(target);
  return success({ ...clockView(controls), entries }, "Clock moved");
}

/** A body has room for so many (mount.ts). */
const MOST_RULES = 100;

const RULES = section({
  rules: list(FaultRuleSchema, {
    description:
      "All rules; of those that match, the first fault of an order and the first of the wire apply.",
    maxItems: MOST_RULES,
  }),
});

const rulesAnswered = (rules: readonly object[]): Answered => ({
  schema: { ...RULES, description: "The rules in force." },
  example: { rules },
});

const RULE = { id: "lost", fault: { kind: "dropConnectionAfter" }, route: "POST /order", nth: 2 } as const;

const SET_FAULTS = lever({
  method: "PUT",
  path: "/faults",
  operationId: "setFaults",
  summary:
    "Replace the fault rules. The drawn fault is journaled with the order, so a replay needs no rules.",
  body: { shape: RULES, example: { rules: [RULE] } },
  answer: rulesAnswered([RULE]),
  refusals: [
    {
      code: "VALIDATION_FAILED",
      when: "A rule names what nobody has, or could never apply.",
      body: { rules: [{ ...RULE, route: "POST /orders" }] },
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
    const rules = readFaultRules(body.rules, venue.world);
    if (!rules.ok) return refuseProblems("VALIDATION_FAILED", rules.error);
    drawer.forget();
    return controlReply(await venue.submit({ kind: "SetFaults", rules: rules.value }), {
      rules: rules.value,
    });
  },
});

const FAULTS: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/faults",
    operationId: "readFaults",
    summary: "Fault rules in force.",
    answer: rulesAnswered([]),
    run: ({ venue }) => success({ rules: venue.state.faults }),
  },
  SET_FAULTS,
  byPost(SET_FAULTS),
  {
    method: "DELETE",
    path: "/faults",
    operationId: "clearFaults",
    summary:
      "Remove all fault rules, those of the world included. The reserved client_order_id prefixes stay.",
    answer: rulesAnswered([]),
    run: async ({ venue, drawer }) => {
      drawer.forget();
      return controlReply(await venue.submit({ kind: "SetFaults", rules: [] }), { rules: [] });
    },
  },
];

/** The same lever under the method that it had first. */
function byPost(route: ControlRoute): ControlRoute {
  return {
    ...route,
    method: "POST",
    operationId: `${route.operationId}ByPost`,
    summary: `As \`PUT ${route.path}\`.`,
  };
}

const settingsInForce = ({ venue, server }: Controls): Record<string, unknown> => ({
  ...venue.state.settings,
  ...server,
});

const settingsAnswered = (changed: Partial<Settings>): Answered => ({
  schema: SettingsSchema,
  example: { ...DEFAULT_SETTINGS, ...DEFAULT_SERVER_SETTINGS, ...changed },
});

const LESS_DELAY = { matchDelayMs: 0, stp: "none" } as const;

const CHANGE_SETTINGS = lever({
  method: "PUT",
  path: "/settings",
  operationId: "changeSettings",
  summary:
    "Change settings of the engine, spelled as GET shows them; what is not named stays, and what only a start can change must be as it is.",
  body: { shape: SettingsSchema, example: LESS_DELAY },
  answer: settingsAnswered(LESS_DELAY),
  refusals: [
    {
      code: "VALIDATION_FAILED",
      when: "Another value for a setting of the server: only a start can change it.",
      body: { validation: { unknownQuery: "ignore" } },
      message: 'validation.unknownQuery is "reject" until the next start: change it in the world file',
      details: [
        {
          field: "validation.unknownQuery",
          issue: 'is "reject" until the next start: change it in the world file',
        },
      ],
    },
  ],
  run: async (controls, _params, body) => {
    const { auth, diagnostics, validation, candles, rateLimit, limits, ...settings } = body;
    const fixed = fixedChanges(
      { auth, diagnostics, validation, candles, rateLimit, limits },
      controls.server,
    );
    if (fixed.length > 0) return refuseProblems("VALIDATION_FAILED", fixed);
    const outcome = await controls.venue.submit({ kind: "ChangeSettings", settings });
    return controlReply(outcome, settingsInForce(controls));
  },
});

/** Everything in `given` that is not as it is in force. */
function fixedChanges(given: object, inForce: object, path: readonly string[] = []): readonly Problem[] {
  const present = new Map<string, unknown>(Object.entries(inForce));
  return Object.entries(given).flatMap(([name, value]: [string, unknown]): readonly Problem[] => {
    const at = [...path, name];
    const now = present.get(name);
    if (value === undefined || value === now) return [];
    if (typeof value === "object" && value !== null && typeof now === "object" && now !== null)
      return fixedChanges(value, now, at);
    const issue = `is ${JSON.stringify(now)} until the next start: change it in the world file`;
    return [{ field: spellPath(at), issue }];
  });
}

export const VENUE_CONTROLS: readonly ControlRoute[] = [
  HEALTH,
  READ_CLOCK,
  MOVE_CLOCK,
  ...FAULTS,
  {
    method: "GET",
    path: "/settings",
    operationId: "readSettings",
    summary:
      "All settings in force: those of the engine, and those of the server that only a start can change.",
    answer: settingsAnswered({}),
    run: (controls) => success(settingsInForce(controls)),
  },
  CHANGE_SETTINGS,
  byPost(CHANGE_SETTINGS),
  {
    method: "GET",
    path: "/state-hash",
    operationId: "readStateHash",
    summary: "SHA-256 over the whole state: equal for two venues that took the same commands.",
    answer: {
      schema: record("The state as hashes.", {
        seq: count("Entries of the journal."),
        chainHash: text("Hash over the journal."),
        stateHash: text("Hash over the state."),
      }),
      example: { seq: 0, chainHash: HASH, stateHash: HASH },
    },
    run: ({ venue }) =>
      success({ seq: venue.state.seq, chainHash: venue.hash, stateHash: stateHash(venue.state) }),
  },
];
