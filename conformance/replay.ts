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
  /** What was seen when the scenario was written, answer by answer; empty when it says nothing. */
  readonly recorded: readonly string[];
  /** What the target answers now. */
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
 * Runs scenario files alone against a target, whatever level their clauses belong to, and holds what it answers against
 * what the files say was answered before. PASSED, with 0, says that all of them did, and nothing of a level.
 */
export async function replay({ files, ...options }: ReplayOptions): Promise<Replay> {
  const { suite } = await readSuite(files);
  const seen = new Map<string, Exchange[]>();
  const onExchange = (exchange: Exchange): void => {
    const id = exchange.request.permit?.caseId;
    // What a stream says by itself differs from run to run.
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

/** `200 NEW_ORDER ord#1`, or how the connection ended. */
function lineOf({ status, type, order, transport }: ValueMap): string {
  return [status, type, order, transport].filter((part) => part !== undefined).join(" ");
}
