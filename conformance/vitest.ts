import { afterAll, beforeAll, describe, test } from "vitest";
import { conform } from "./conform.ts";
import type { ConformOptions, Report, ReportedCase, RowResult } from "./index.ts";
import { profileOf, selectedCases } from "./run-input.ts";

/**
 * The suite as vitest tests, one for each case row, for teams that want it beside their own tests. There is one run, as
 * on the command line, before the first test; each test then gives the result of its row. A row that could not run is
 * skipped with the reason and never passes. The last test is the verdict, which includes results without a row.
 */
export type ConformanceOptions = Omit<ConformOptions, "onRow" | "signal"> & {
  readonly title?: string;
  /** The time limit of the whole run. */
  readonly timeoutMs?: number;
  /** Called with the report, to write or inspect it. */
  readonly onReport?: (report: Report) => void | Promise<void>;
};

const tenMinutes = 600_000;

export function describeConformance(options: ConformanceOptions): void {
  const { title, timeoutMs = tenMinutes, onReport, ...run } = options;
  describe(title ?? "conformance", async () => {
    const { name } = await profileOf(run);
    const cases = await selectedCases(run);
    const abort = new AbortController();
    const results = new Map<string, ReportedCase>();
    let report: Report | undefined;
    beforeAll(async () => {
      report = await conform({ ...run, signal: abort.signal });
      for (const row of report.cases) results.set(row.id, row);
      await onReport?.(report);
    }, timeoutMs);
    afterAll(() => abort.abort());
    for (const { id } of cases) test(id, ({ skip }) => settle(results.get(id), skip));
    test(`the verdict on ${name}`, ({ skip }) => settleVerdict(report, skip));
  });
}

type Skip = (reason?: string) => void;

/** Passed and warned rows pass; an expected failure is skipped, because it is still a failure. */
function settle(row: ReportedCase | undefined, skip: Skip): void {
  if (row === undefined) throw new Error("the run ended without a result for this case");
  switch (row.outcome) {
    case "passed":
    case "warned":
      return;
    case "blocked":
      return skip(`BLOCKED: ${row.reason ?? "no reason was given"}`);
    case "notApplicable":
      return skip(`not applicable: ${row.reason ?? ""}`);
    case "filtered":
      return skip(row.reason ?? "not selected");
    case "failed": {
      const failures = row.findings.filter(({ severity }) => severity === "fail");
      if (failures.length > 0 && failures.every(({ expectedBy }) => expectedBy !== undefined))
        return skip(`fails as expected: ${failures[0]?.expectedBy ?? ""}`);
      throw new ConformanceFailure(sentenceOf(row));
    }
    case "error":
      throw new Error(`an error of the kit: ${row.reason ?? ""}`);
    default:
      return row.outcome satisfies never;
  }
}

function settleVerdict(report: Report | undefined, skip: Skip): void {
  if (report === undefined) throw new Error("the run ended without a report");
  const { verdict, exitCode, reason, ambient } = report;
  if (exitCode === 0 || exitCode === 7) return;
  if (exitCode === 3) return skip(`${verdict}: ${reason}`);
  const everywhere = ambient
    .filter(({ severity, expectedBy }) => severity === "fail" && expectedBy === undefined)
    .map(({ clause, pointer, expected, actual, count }) => {
      return `${clause} on ${count} replies: ${pointer} expected ${expected}, was ${actual}`;
    });
  throw new ConformanceFailure([`${verdict}: ${reason}`, ...everywhere].join("\n"));
}

function sentenceOf({ title, findings }: ReportedCase): string {
  const failures = findings.filter(
    ({ severity, expectedBy }) => severity === "fail" && expectedBy === undefined,
  );
  const lines = failures.slice(0, 10).map(({ pointer, expected, actual, clauses, place, step }) => {
    const at = pointer === "" ? "" : `${pointer}: `;
    return `${at}expected ${expected}, was ${actual} (${clauses.join(" ")}; step ${step}, ${place})`;
  });
  return [title, ...lines].join("\n");
}

/** The stack of the kit does not describe the target, so it is left out. */
class ConformanceFailure extends Error {
  override readonly name = "ConformanceFailure";

  constructor(message: string) {
    super(message);
    this.stack = `${this.name}: ${message}`;
  }
}

export type { Report, ReportedCase, RowResult };
