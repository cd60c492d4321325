import { setMaxListeners } from "node:events";
import type { RowResult } from "../model/outcome.ts";
import { isWithin } from "../model/profile.ts";
import type { CaseRow } from "../model/scenario.ts";
import { effortOf } from "../parse/effort.ts";
import { longSleepMs } from "./case-run.ts";
import type { Market } from "./prepare/market.ts";
import { isAlone, type Task } from "./prepare/schedule.ts";
import { runCase } from "./run-case.ts";
import type { Session } from "./session.ts";
import { runSideBySide } from "./wait/side-by-side.ts";

/** A row, and how it gets on with others. */
export interface RowTask extends Task {
  readonly row: CaseRow;
  readonly sleepMs: number;
}

/**
 * Within a class, what is kept apart from others goes first, because whoever sleeps keeps it waiting. Then the sleepers: they send
 * nothing meanwhile, and the others have not long to wait for them at the end.
 */
const turnOf = ({ isolation, sleepMs }: RowTask): number =>
  isolation === "account" || isolation === "product" ? 0 : sleepMs >= longSleepMs ? 1 : 2;

/** What is kept apart from others stays so while it sleeps. */
const mayStepAside = (task: RowTask): boolean => task.isolation === "shared" && !isAlone(task);

export interface SuiteOptions {
  /** Nothing begins after it; what runs ends at its next step, cleans up after itself and is reported. */
  readonly signal?: AbortSignal | undefined;
  /** In the order in which rows end, which differs from run to run. */
  readonly onRow?: ((row: RowResult) => void) | undefined;
}

/**
 * Runs rows beside each other as far as the schedule lets them. Results come in the order of `rows`; a row that was
 * not begun has none. When a case leaves a fault behind in the target nothing new begins; when
 * one ends with a safety stop, those that run are waited for, and then the stop is thrown.
 */
export async function runSuite(
  rows: readonly CaseRow[],
  session: Session,
  market: Market,
  options: SuiteOptions,
): Promise<RowResult[]> {
  const { profile } = session;
  const all = rows.map((row) => taskOf(row, session, market));
  const tasks = all.toSorted((one, other) => turnOf(one) - turnOf(other));
  // Each case that waits listens for the end of the run.
  if (options.signal !== undefined) setMaxListeners(0, options.signal);
  const results = new Map<string, RowResult>();
  await runSideBySide(tasks, {
    limit: profile.safety.budget.concurrency,
    open: () => session.spoiled === undefined && options.signal?.aborted !== true,
    run: async (task, sleep) => {
      const aside = mayStepAside(task) ? sleep : undefined;
      const result = await runCase(task.row, session, market, { signal: options.signal, aside });
      results.set(task.id, result);
      options.onRow?.(result);
    },
  });
  return rows.flatMap((row) => results.get(row.id) ?? []);
}

/** What the schedule has to know about a row. */
export function taskOf(row: CaseRow, { profile, parts }: Session, market: Market): RowTask {
  const { alone, roles, products, safety, sleepMs } = effortOf(row.scenario, row.row, parts.fragments);
  const named = [...products].map((name) => productNamed(name, market));
  return {
    id: row.id,
    row,
    sleepMs,
    safety: row.scenario.safety,
    isolation: row.scenario.isolation,
    alone: alone !== undefined,
    orders: !isWithin(safety, "reject-only"),
    clients: new Set([...roles].map((role) => profile.credentials[role]?.client ?? role)),
    products:
      named.length === 0 || named.includes(undefined)
        ? undefined
        : new Set(named.filter((name) => name !== undefined)),
  };
}

function productNamed(name: string, market: Market): string | undefined {
  const word = /^\{"\$product":"(\w+)"\}$/.exec(name)?.[1];
  if (word === undefined) return /^[^*{]+$/.test(name) ? name : undefined;
  try {
    return market.product(word);
  } catch {
    // Whoever needs it says why there is none.
    return undefined;
  }
}
