import { runConformance } from "./conform.ts";
import { readSuite } from "./load-suite.ts";
import type { Exchange } from "./model/exchange.ts";
import type { Verdict } from "./model/outcome.ts";
import { isList, isMap, type ValueMap } from "./model/value.ts";
import { observedOf } from "./properties/counterexample.ts";
import type { ReportedCase } from "./report/report.ts";
import type { TargetOptions } from "./run-input.ts";

export interface ReplayOptions extends TargetOptions {
  readonly files: readonly string[];
  readonly ledger?: string;
  readonly signal?: AbortSignal;
}

export interface ReplayedRow {
  readonly row: ReportedCase;
  /** The answers that were seen when the scenario was written; empty if the file has none. */
  readonly recorded: readonly string[];
  /** The current answers of the target. */
  readonly now: readonly string[];
}

export interface Replay {
  readonly rows: readonly ReplayedRow[];
  readonly redact: (text: string) => string;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly exitCode: number;
}

/**
 * Runs only these scenario files against a target, for clauses of any level, and compares its answers with the answers
 * recorded in the files. PASSED, with 0, means that all scenarios passed; it says nothing about a level.
 */
export async function replay({ files, ...options }: ReplayOptions): Promise<Replay> {
  const { suite } = await readSuite(files);
  const seen = new Map<string, Exchange[]>();
  const onExchange = (exchange: Exchange): void => {
    const id = exchange.request.permit?.caseId;
    // Messages that a stream sends on its own differ from run to run.
    if (id !== undefined && exchange.transport !== "message")
      seen.set(id, [...(seen.get(id) ?? []), exchange]);
  };
  const run = await runConformance({
    ...options,
    scenarios: files,
    level: "full",
    order: "stable",
    onExchange,
  });
  const recorded = new Map(suite.scenarios.map(({ id, origin }) => [id, linesOf(origin?.["observed"])]));
  const rows = run.report.cases.map((row) => ({
    row,
    recorded: recorded.get(row.id) ?? [],
    now: observedOf(seen.get(row.id) ?? []).map(lineOf),
  }));
  const { verdict, reason, exitCode } = run.report;
  return { rows, redact: (text) => run.redactor.redact(text), verdict, reason, exitCode };
}

function linesOf(observed: ValueMap[string] | undefined): string[] {
  return (isList(observed) ? observed : []).map((line) => lineOf(isMap(line) ? line : {}));
}

/** `200 NEW_ORDER ord#1`, or the end of the connection. */
function lineOf({ status, type, order, transport }: ValueMap): string {
  return [status, type, order, transport].filter((part) => part !== undefined).join(" ");
}
