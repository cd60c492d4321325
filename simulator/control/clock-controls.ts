/** Controls of the market clock: its pace, and moves that answer when everything on the way is committed. */
import { type ClockMode, clockModes } from "../domain/world.ts";
import { refuse, refuseProblems, success } from "../http/route.ts";
import { instant, integer, maybe, oneOf, optional, section, type ValueOf } from "../schema/fields.ts";
import { isoTime } from "../wire/envelope.ts";
import { parseInstant } from "../wire/query.ts";
import { count, nullable, oneOfText, record, time } from "../wire/schema.ts";
import { type Condition, conditionOf, Until } from "./clock-conditions.ts";
import { type Controls, controlRoute } from "./control-route.ts";
import { Effects, effectsSchema } from "./effects.ts";

const start = "2026-01-01T00:00:00.000Z";

const clockAnswer = {
  mode: oneOfText("The pace of market time.", clockModes),
  now: time("Market time."),
  nextDue: nullable(time("When something falls due next; null when nothing does.")),
};

function clockView({ venue }: Controls) {
  const due = venue.nextDueAt;
  return {
    mode: venue.clock.mode,
    now: isoTime(venue.clock.now()),
    nextDue: due === null ? null : isoTime(due),
  };
}

const readClock = controlRoute({
  method: "GET",
  path: "/clock",
  operationId: "readClock",
  verbs: [{ words: "clock" }],
  summary: "The market clock and the next due command.",
  answer: {
    schema: record("The market clock.", clockAnswer),
    example: { mode: "manual", now: start, nextDue: null },
  },
  run: (controls) => success(clockView(controls)),
});

/** Years of four digits, as the wire writes them. */
const lastMoment = Date.UTC(9999, 11, 31);

/** The longest way on the market clock that one call can ask for: a typing error shall not run it for a thousand years. */
const longestMoveMs = 366 * 24 * 3600 * 1000;
const usualWithinMs = 3_600_000;

const ways = ["advanceMs", "to", "until", "mode"] as const;

const ClockMove = section({
  advanceMs: maybe(integer(0, longestMoveMs, "How far to move.", { unit: "ms" })),
  to: maybe(instant("The time to move to.")),
  until: optional(Until),
  withinMs: maybe(
    integer(0, longestMoveMs, `With \`until\`: how far to move at the most; else ${usualWithinMs}.`, {
      unit: "ms",
    }),
  ),
  mode: maybe(oneOf(clockModes, "The pace of market time from now on.")),
});

const oneWay = `give one of ${ways.join(", ")}`;

const moveClockControl = controlRoute({
  method: "POST",
  path: "/clock",
  operationId: "moveClock",
  verbs: [
    {
      words: "clock advance",
      args: ["advanceMs"],
      flags: [],
      does: "Advance the market clock, by 1m for example.",
    },
    { words: "clock set", args: ["to"], flags: [], does: "Move the market clock to a time." },
    {
      words: "clock until",
      args: ["until.order", "until.status"],
      flags: ["withinMs"],
      does: "Move the market clock until an order has a status.",
    },
    {
      words: "clock until-price",
      args: ["until.product", "until.price"],
      flags: ["withinMs"],
      does: "Move the market clock until a trade has a price.",
    },
    {
      words: "clock until-deposit",
      args: ["until.deposit", "until.status"],
      flags: ["withinMs"],
      does: "Move the market clock until a deposit has a status.",
    },
    { words: "clock freeze", fixed: { mode: "manual" }, flags: [], does: "Stop the market clock." },
    { words: "clock run", fixed: { mode: "real" }, flags: [], does: "Let the market clock run." },
    {
      words: "clock skip-idle",
      fixed: { mode: "skip-idle" },
      flags: [],
      does: "Let the market clock run, and jump to the next due thing when no command comes.",
    },
  ],
  summary:
    "Set the pace of the market clock, or move it; everything that falls due on the way has happened when this answers.",
  body: { shape: ClockMove, example: { advanceMs: 60_000 } },
  answer: {
    schema: record("The market clock, and what the move did.", {
      ...clockAnswer,
      entries: count("Entries of the journal that the move wrote."),
      effects: effectsSchema,
      effectsTotal: count("Number of all effects."),
    }),
    example: {
      mode: "manual",
      now: "2026-01-01T00:01:00.000Z",
      nextDue: null,
      entries: 1,
      effects: [],
      effectsTotal: 0,
    },
  },
  refusals: [
    {
      code: "VALIDATION_FAILED",
      when: "None or several of the members, or a time that has passed.",
      body: {},
      message: oneWay,
      details: [{ field: "", issue: oneWay }],
    },
    {
      code: "CONDITION_NOT_MET",
      when: "The clock has moved all the way, and what it was to wait for has not happened.",
      body: { until: { product: "BTC-USD", price: "1" }, withinMs: 0 },
      message: `No trade of BTC-USD had the price 1; the market clock has reached ${start}`,
    },
  ],
  run: (controls, _params, body, _query, gone) => {
    if (typeof body.mode === "string" && asks(body, "mode")) controls.venue.moves.endAll();
    return controls.venue.moves.take((signal) => moveClock({ ...controls, signal }, body), gone);
  },
});

type Body = ValueOf<typeof ClockMove>;

/** What a move needs: the controls, and the signal that ends it. */
interface Mover extends Controls {
  readonly signal: AbortSignal;
}

const asks = (body: Body, way: (typeof ways)[number]): boolean =>
  ways.every((name) => (name === way) === ((body[name] ?? null) !== null));

function moveClock(controls: Mover, body: Body) {
  const { advanceMs, to, until, withinMs, mode } = body;
  const given = ways.filter((way) => (body[way] ?? null) !== null);
  if (given.length !== 1) return wrong("", oneWay);
  if ((withinMs ?? null) !== null && until === undefined) return wrong("withinMs", "goes with `until`");
  if (typeof mode === "string") return setMode(controls, mode);
  if (controls.venue.clock.mode === "real") return clockIsReal;
  if (until !== undefined) return moveUntil(controls, until, withinMs ?? usualWithinMs);
  const now = controls.venue.clock.now();
  if (typeof advanceMs === "number") return moveTo(controls, now + advanceMs, "advanceMs");
  const target = parseInstant(to ?? "");
  if (target === null) return wrong("to", "must be a day and an hour that exist");
  if (target < now) return wrong("to", `must not be before the clock, which shows ${isoTime(now)}`);
  return moveTo(controls, target, "to");
}

const wrong = (field: string, issue: string) => refuseProblems("VALIDATION_FAILED", [{ field, issue }]);

const clockIsReal = refuse(
  "CLOCK_IS_REAL",
  "The market clock follows real time: freeze it first, or start with --clock manual",
);

function setMode(controls: Controls, mode: ClockMode) {
  controls.venue.setClockMode(mode);
  return answer(controls, noEffects(controls), "Clock set");
}

function moveUntil(controls: Mover, until: ValueOf<typeof Until>, withinMs: number) {
  const condition = conditionOf(until, controls);
  if (!condition.ok) return condition;
  return moveTo(controls, controls.venue.clock.now() + withinMs, "withinMs", condition.value);
}

async function moveTo(
  controls: Mover,
  target: number,
  field: (typeof ways)[number] | "withinMs",
  condition?: Condition,
) {
  const { venue, signal } = controls;
  if (target - venue.clock.now() > longestMoveMs || target > lastMoment)
    return wrong(field, `must be 366 days at the most, and not lead beyond ${isoTime(lastMoment)}`);
  const effects = noEffects(controls);
  const committed: Effects["add"] = (entries) => effects.add(entries);
  const move = { committed, signal, ...(condition === undefined ? {} : { until: condition.isMet }) };
  const end = await venue.advanceTo(target, move);
  const reached = isoTime(venue.clock.now());
  if (end === "ended")
    return refuse(
      "CONFLICT",
      `The move was ended on its way, because the mode of the clock was set: the market clock has reached ${reached}, and what fell due until then has happened`,
    );
  if (condition !== undefined && end === "there") {
    return refuse("CONDITION_NOT_MET", `${condition.found()}; the market clock has reached ${reached}`);
  }
  return answer(controls, effects, "Clock moved");
}

const noEffects = ({ venue, ids }: Controls): Effects => new Effects(venue.world, ids);

const answer = (controls: Controls, { entries, listed, total }: Effects, message: string) =>
  success({ ...clockView(controls), entries, effects: listed, effectsTotal: total }, message);

export const clockControls = [readClock, moveClockControl] as const;
