import { setMaxListeners } from "node:events";
import type { RowResult } from "../model/outcome.ts";
import { isWithin } from "../model/profile.ts";
import type { CaseRow } from "../model/scenario.ts";
import { effortOfCase } from "../plan/effort.ts";
import { longSleepMs } from "./case-run.ts";
import type { Market } from "./prepare/market.ts";
import { isAlone, type Task } from "./prepare/schedule.ts";
import { runCase } from "./run-case.ts";
import type { Session } from "./session.ts";
import { runSideBySide } from "./wait/side-by-side.ts";

/** A row, with its rules for running beside other rows. */
export interface RowTask extends Task {
  readonly row: CaseRow;
  readonly sleepMs: number;
}

/**
 * Within a class, isolated rows go first, because a sleeping one delays others. Then the rows that sleep: they send
 * nothing meanwhile, and at the end the others wait less for them.
 */
const turnOf = ({ isolation, sleepMs }: RowTask): number =>
  isolation === "account" || isolation === "product" ? 0 : sleepMs >= longSleepMs ? 1 : 2;

/** An isolated row stays isolated while it sleeps. */
const mayStepAside = (task: RowTask): boolean => task.isolation === "shared" && !isAlone(task);

export interface SuiteOptions {
  /** After the abort no row begins; a running row ends at its next step, cleans up after itself and is reported. */
  readonly signal?: AbortSignal | undefined;
  /** Called in the order in which rows end, which differs from run to run. */
  readonly onRow?: ((row: RowResult) => void) | undefined;
}

/**
 * Runs rows beside each other as far as the schedule allows. Results are in the order of `rows`; a row that did not
 * begin has none. After a case leaves a fault in the target, no further case begins. After a safety stop the running
 * rows are awaited, and then the stop is thrown.
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
  // Each waiting case listens for the end of the run.
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

/** The properties of a row that the schedule needs. */
export function taskOf(row: CaseRow, { profile, parts }: Session, market: Market): RowTask {
  const { alone, roles, products, safety, sleepMs } = effortOfCase(row, parts.fragments);
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
    // The code that needs the role reports why it is missing.
    return undefined;
  }
}
