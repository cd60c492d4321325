import { conform, SafetyStop, UnusableRun } from "../../conformance/commands.ts";
import { bugs, startGateway } from "../../conformance/testing/foreign-gateway/bugs.ts";
import { profile } from "../../conformance/testing/foreign-gateway/profile.ts";

/** The findings of a run at the gateway, legal or with one bug. */
export interface Trial {
  readonly id: string;
  readonly verdict: string;
  readonly reason: string;
  readonly violated: readonly string[];
  readonly warned: readonly string[];
  readonly failedRows: readonly string[];
  readonly passedRows: number;
  readonly seconds: number;
}

export interface TrialOptions {
  readonly seed: number;
  readonly level: "core" | "full";
  readonly properties: "on" | "off";
}

export const legal = "legal";

/** Starts the gateway in this process and aims the kit at it. A run ends when it has convicted a clause of the bug. */
export async function tryBug(id: string, options: TrialOptions): Promise<Trial> {
  const bug = bugs.find((known) => known.id === id);
  await using gateway = await startGateway(...(bug === undefined ? [] : [bug.id]));
  const started = Date.now();
  const wanted = bug?.clauses ?? [];
  try {
    const report = await conform({
      ...profile(gateway),
      ...options,
      expectations: false,
      ...(wanted.length === 0 ? {} : { stopAtConviction: { clauses: wanted, warned: [], until: "one" } }),
    });
    const clauses = (outcome: string) =>
      report.clauses.filter((clause) => clause.outcome === outcome).map((clause) => clause.id);
    return {
      id,
      verdict: report.verdict,
      reason: report.reason,
      violated: clauses("violated"),
      warned: clauses("warned"),
      failedRows: report.cases.filter(({ outcome }) => outcome === "failed").map((row) => row.id),
      passedRows: report.summary.cases.passed,
      seconds: (Date.now() - started) / 1000,
    };
  } catch (error) {
    if (!(error instanceof UnusableRun || error instanceof SafetyStop)) throw error;
    return refused(id, error.message, (Date.now() - started) / 1000);
  }
}

/** A run without a verdict. */
export function refused(id: string, reason: string, seconds: number): Trial {
  return { id, verdict: "REFUSED", reason, violated: [], warned: [], failedRows: [], passedRows: 0, seconds };
}

export type Noticed = "convicted" | "warned" | "unnoticed" | "refused";

/** The result for a bug, compared with the result for the legal gateway. */
export function judge(
  trial: Trial,
  baseline: Trial,
): { readonly noticed: Noticed; readonly clauses: readonly string[] } {
  if (trial.verdict === "REFUSED") return { noticed: "refused", clauses: [] };
  const violated = trial.violated.filter((id) => !baseline.violated.includes(id));
  if (violated.length > 0) return { noticed: "convicted", clauses: violated };
  const warned = trial.warned.filter((id) => !baseline.warned.includes(id));
  return { noticed: warned.length > 0 ? "warned" : "unnoticed", clauses: warned };
}
