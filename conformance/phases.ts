import type { RowResult } from "./model/outcome.ts";
import type { CaseRow } from "./model/scenario.ts";
import { type PhaseOptions, propertyRows } from "./property-phase.ts";
import { type Aim, Conviction } from "./runner/conviction.ts";
import type { Market } from "./runner/market.ts";
import { runSuite } from "./runner/run-suite.ts";
import type { Session } from "./runner/session.ts";

/** What ran of a selection. Rows that did not begin have no result. */
export interface Phases {
  readonly rows: readonly RowResult[];
  readonly properties: readonly RowResult[];
  /** Why the run ended before its time, when it was not a person who ended it. */
  readonly ended?: string | undefined;
}

export interface PhasesOptions extends PhaseOptions {
  readonly stopAtConviction?: Aim | undefined;
}

/** Cases, then properties. */
export async function runPhases(
  selected: readonly CaseRow[],
  session: Session,
  market: Market,
  options: PhasesOptions,
): Promise<Phases> {
  const { stopAtConviction: aim } = options;
  if (aim !== undefined) return runTowards(aim, selected, session, market, options);
  const rows = await runSuite(selected, session, market, options);
  return { rows, properties: await propertyRows(session, market, options) };
}

/** Whatever speaks about the clauses that are aimed at comes first: cases, then properties; then all the others. */
async function runTowards(
  aim: Aim,
  selected: readonly CaseRow[],
  session: Session,
  market: Market,
  options: PhaseOptions,
): Promise<Phases> {
  const conviction = new Conviction(aim, session);
  const { signal, skip: skipped = [] } = options;
  const watched: PhaseOptions = {
    ...options,
    signal: signal === undefined ? conviction.signal : AbortSignal.any([signal, conviction.signal]),
    onRow: (row) => {
      options.onRow?.(row);
      conviction.see(row);
    },
  };
  conviction.see();
  const speaking = selected.filter(({ spec }) => conviction.concerns(spec));
  const others = selected.filter(({ spec }) => !conviction.concerns(spec));
  const rows = await runSuite(speaking, session, market, watched);
  // P-34 looks at all that was sent, so it comes at the end.
  const early =
    options.only === undefined || options.only.length === 0
      ? await propertyRows(session, market, { ...watched, only: aim.clauses, skip: [...skipped, "P-34"] })
      : [];
  rows.push(...(await runSuite(others, session, market, watched)));
  const skip = [...skipped, ...early.map(({ id }) => id)];
  const late = await propertyRows(session, market, { ...watched, skip });
  return { rows, properties: [...early, ...late], ended: conviction.ended };
}
