/** Controls of the market clock. */
import { type Reply, refuse, refuseProblems, success } from "../http/route.ts";
import { instant, integer, maybe, section, type ValueOf } from "../schema/fields.ts";
import { isoTime } from "../wire/envelope.ts";
import { parseInstant } from "../wire/query.ts";
import { count, nullable, oneOfText, record, time } from "../wire/schema.ts";
import { type ControlRoute, type Controls, controlRoute } from "./control-route.ts";

const start = "2026-01-01T00:00:00.000Z";

const clockAnswer = {
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

const readClock: ControlRoute = {
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
};

/** Years of four digits, as the wire writes them. */
const lastMoment = Date.UTC(9999, 11, 31);

/** The longest way on the market clock that one call can ask for: a typing error shall not run it for a thousand years. */
const longestMoveMs = 366 * 24 * 3600 * 1000;

const ClockMove = section({
  advanceMs: maybe(integer(0, longestMoveMs, "How far; or give `to`.", { unit: "ms" })),
  to: maybe(instant("Until when; or give `advanceMs`.")),
});

const moveClockControl = controlRoute({
  method: "POST",
  path: "/clock",
  operationId: "moveClock",
  verbs: [
    {
      words: "clock advance",
      args: ["advanceMs"],
      flags: [],
      does: "Advance a manual market clock, by 1m for example.",
    },
    { words: "clock set", args: ["to"], flags: [], does: "Move a manual market clock to a time." },
  ],
  summary: "Move a manual market clock; everything that falls due on the way has happened when this answers.",
  body: { shape: ClockMove, example: { advanceMs: 60_000 } },
  answer: {
    schema: record("The market clock, and what the move wrote.", {
      ...clockAnswer,
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
  if (target - now > longestMoveMs || target > lastMoment) {
    const field = until === null ? "advanceMs" : "to";
    return wrong(field, `must be 366 days at the most, and not lead beyond ${isoTime(lastMoment)}`);
  }
  const entries = await venue.advanceTo(target);
  return success({ ...clockView(controls), entries }, "Clock moved");
}

export const clockControls: readonly ControlRoute[] = [readClock, moveClockControl];
