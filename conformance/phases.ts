import type { RowResult } from "./model/outcome.ts";
import type { CaseRow } from "./model/scenario.ts";
import { type PhaseOptions, propertyRows } from "./property-phase.ts";
import { type ConvictionGoal, ConvictionStop, FailureStop } from "./runner/judge/conviction-stop.ts";
import type { Market } from "./runner/prepare/market.ts";
import { runSuite } from "./runner/run-suite.ts";
import type { Session } from "./runner/session.ts";

/** The results of the selected rows. Rows that did not begin have none. */
export interface Phases {
  readonly rows: readonly RowResult[];
  readonly properties: readonly RowResult[];
  /** Why the run ended early, unless the user interrupted it. */
  readonly ended?: string | undefined;
}

export interface PhasesOptions extends PhaseOptions {
  readonly stopAtConviction?: ConvictionGoal | undefined;
  /** The first failure ends the run. */
  readonly bail?: boolean | undefined;
}

/** Cases, then properties. */
export async function runPhases(
  selected: readonly CaseRow[],
  session: Session,
  market: Market,
  options: PhasesOptions,
): Promise<Phases> {
  const { stopAtConviction: goal, bail } = options;
  if (goal !== undefined) return runTowards(goal, selected, session, market, options);
  const stop = bail === true ? new FailureStop(session) : undefined;
  const seen = stop === undefined ? options : watchedBy(stop, options);
  const rows = await runSuite(selected, session, market, seen);
  return { rows, properties: await propertyRows(session, market, seen), ended: stop?.ended };
}

const watchedBy = (
  stop: { readonly signal: AbortSignal; readonly see: (row?: RowResult) => void },
  options: PhaseOptions,
): PhaseOptions => ({
  ...options,
  signal: options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]),
  onRow: (row) => {
    options.onRow?.(row);
    stop.see(row);
  },
});

/** Cases and properties that cite the goal's clauses come first: cases, then properties; then all others. */
async function runTowards(
  goal: ConvictionGoal,
  selected: readonly CaseRow[],
  session: Session,
  market: Market,
  options: PhaseOptions,
): Promise<Phases> {
  const stop = new ConvictionStop(goal, session);
  const { skip: skipped = [] } = options;
  const watched = watchedBy(stop, options);
  stop.see();
  const speaking = selected.filter(({ spec }) => stop.concerns(spec));
  const others = selected.filter(({ spec }) => !stop.concerns(spec));
  const rows = await runSuite(speaking, session, market, watched);
  // P-34 judges all requests of the run, so it comes last.
  const early =
    options.only === undefined || options.only.length === 0
      ? await propertyRows(session, market, { ...watched, only: goal.clauses, skip: [...skipped, "P-34"] })
      : [];
  rows.push(...(await runSuite(others, session, market, watched)));
  const skip = [...skipped, ...early.map(({ id }) => id)];
  const late = await propertyRows(session, market, { ...watched, skip });
  return { rows, properties: [...early, ...late], ended: stop.ended };
}
