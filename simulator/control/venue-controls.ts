/** Levers of the venue as a whole: health, clock, faults, settings, journal. */
import type { FaultRule } from "../domain/fault.ts";
import { SIGNED_ROUTES } from "../domain/route-claims.ts";
import type { Settings } from "../domain/settings.ts";
import { stateHash } from "../engine/snapshot.ts";
import { type Reply, refuse, refuseProblems, success } from "../http/route.ts";
import { isoTime } from "../wire/envelope.ts";
import { type ControlRoute, type Controls, controlReply } from "./control-route.ts";
import { readFaultRules } from "./fault-rules.ts";
import { LONGEST_MOVE_MS, type Values } from "./fields.ts";
import { readSettings } from "./settings-patch.ts";

export function healthOf(controls: Controls, version: string): Record<string, unknown> {
  const { venue } = controls;
  return {
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
  };
}

function clockView({ venue }: Controls): Record<string, unknown> {
  const due = venue.nextDueAt;
  return {
    mode: venue.clock.mode,
    now: isoTime(venue.clock.now()),
    nextDue: due === null ? null : isoTime(due),
  };
}

/** Years of four digits, as the wire writes them. */
const LAST_MOMENT = Date.UTC(9999, 11, 31);

const MOVE_CLOCK: ControlRoute = {
  method: "POST",
  path: "/clock",
  summary: "Move a manual market clock; everything that falls due on the way has happened when this answers.",
  example: { advanceMs: 60_000 },
  fields: {
    advanceMs: { kind: "integer", optional: true, max: LONGEST_MOVE_MS },
    to: { kind: "time", optional: true },
  },
  run: (controls, _params, values) => controls.venue.inTurn(() => moveClock(controls, values)),
};

async function moveClock(controls: Controls, values: Values): Promise<Reply> {
  const { venue } = controls;
  if (venue.clock.mode !== "manual")
    return refuse(
      "CLOCK_IS_REAL",
      "The market clock follows real time: start with --clock manual to move it",
    );
  const { advanceMs, to } = values;
  if ((advanceMs === null) === (to === null)) {
    return refuseProblems("VALIDATION_FAILED", [
      { field: "advanceMs", issue: "give either advanceMs or to" },
    ]);
  }
  const now = venue.clock.now();
  const target = to === null ? now + Number(advanceMs) : Number(to);
  if (target < now)
    return refuseProblems("VALIDATION_FAILED", [
      { field: "to", issue: `must not be before the clock, which shows ${isoTime(now)}` },
    ]);
  if (target - now > LONGEST_MOVE_MS || target > LAST_MOMENT)
    return refuseProblems("VALIDATION_FAILED", [
      {
        field: to === null ? "advanceMs" : "to",
        issue: `must be 366 days at the most, and not lead beyond ${isoTime(LAST_MOMENT)}`,
      },
    ]);
  const entries = await venue.advanceTo(target);
  return success({ ...clockView(controls), entries }, "Clock moved");
}

const FAULTS: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/faults",
    summary: "Fault rules in force.",
    run: ({ venue }) => success({ rules: venue.state.faults }),
  },
  {
    method: "POST",
    path: "/faults",
    summary:
      "Replace the fault rules. The drawn fault is journaled with the order, so a replay needs no rules.",
    fields: { rules: { kind: "value" } },
    example: {
      rules: [{ id: "lost", fault: { kind: "dropConnectionAfter" }, route: "POST /order", nth: 2 }],
    },
    run: async ({ venue, drawer }, _params, values) => {
      const rules = readFaultRules(values["rules"], {
        route: SIGNED_ROUTES,
        key: venue.world.keys.map((key) => key.name),
        product: venue.world.products.map((product) => product.id),
      });
      if (!rules.ok) return refuseProblems("VALIDATION_FAILED", rules.error);
      drawer.forget();
      return controlReply(await venue.submit({ kind: "SetFaults", rules: rules.value }), {
        rules: rules.value,
      });
    },
  },
  {
    method: "DELETE",
    path: "/faults",
    summary:
      "Remove all fault rules, those of the world included. The reserved client_order_id prefixes stay.",
    run: async ({ venue, drawer }) => {
      drawer.forget();
      const rules: readonly FaultRule[] = [];
      return controlReply(await venue.submit({ kind: "SetFaults", rules }), { rules });
    },
  },
];

const SETTINGS: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/settings",
    summary: "Settings of the engine in force.",
    run: ({ venue }) => success(venue.state.settings),
  },
  {
    method: "POST",
    path: "/settings",
    summary: "Change settings of the engine, spelled as GET shows them; what is not named stays.",
    example: { matchDelayMs: 0, stp: "none" },
    read: readSettings,
    run: async ({ venue }, _params, values) => {
      const changed: Partial<Settings> = values;
      return controlReply(await venue.submit({ kind: "ChangeSettings", settings: changed }), {
        ...venue.state.settings,
        ...changed,
      });
    },
  },
];

export const VENUE_CONTROLS: readonly ControlRoute[] = [
  {
    method: "GET",
    path: "/clock",
    summary: "The market clock and what falls due next.",
    run: (controls) => success(clockView(controls)),
  },
  MOVE_CLOCK,
  ...FAULTS,
  ...SETTINGS,
  {
    method: "GET",
    path: "/state-hash",
    summary: "SHA-256 over the whole state: equal for two venues that took the same commands.",
    run: ({ venue }) =>
      success({ seq: venue.state.seq, chainHash: venue.hash, stateHash: stateHash(venue.state) }),
  },
];
