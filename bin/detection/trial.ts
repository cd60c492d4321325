/**
 * One trial: the whole suite against a simulator that misbehaves in one named way, and what the kit made of it.
 *
 * **Invariants.** The kit is told nothing about the defect. A run that ended because time was up proves nothing and is
 * no detection. A bug is *convicted* when one of the clauses it breaks is violated (or warned about, when none of them
 * is required); a red clause that the bug does not break is shown as such.
 */
import path from "node:path";
import {
  environmentOf,
  packageRoot,
  type Report,
  runConformance,
  TargetUnusable,
} from "../../conformance/index.ts";
import { startSimulator } from "../../simulator/index.ts";
import type { Trial } from "./catalogue.ts";

export type Outcome =
  /** A clause that it breaks went red (yellow, when the document only recommends it). */
  | "convicted"
  /** The first signed request was refused: the kit stops, and says what the target accepts instead. */
  | "refused"
  /** Only clauses that it does not break went red. */
  | "by-another-clause"
  /** Nothing went red. For a legal habit, that is what is wanted. */
  | "unnoticed"
  /** No required or recommended clause is broken, and none was called so. */
  | "noted"
  /** A required clause was called violated because of a legal habit. */
  | "false-alarm"
  | "error";

export interface TrialResult {
  readonly id: string;
  readonly title: string;
  readonly expected: readonly string[];
  readonly outcome: Outcome;
  readonly violated: readonly string[];
  readonly warned: readonly string[];
  /** Cases that failed or warned. */
  readonly cases: readonly string[];
  readonly verdict: string;
  readonly note?: string;
  readonly durationMs: number;
}

export interface TrialSettings {
  readonly level: "core" | "core+limits";
  readonly seed: number;
  readonly properties: "on" | "off";
  readonly only?: readonly string[];
}

export async function runTrial(trial: Trial, settings: TrialSettings): Promise<TrialResult> {
  const started = Date.now();
  const base = { id: trial.id, title: trial.title, expected: trial.violates };
  const took = (): { durationMs: number } => ({ durationMs: Date.now() - started });
  await using simulator = await startSimulator({ defects: [...trial.defects] });
  const profile = path.join(packageRoot(), "fixtures", "profiles", "simulator.yaml");
  try {
    const { report } = await runConformance({
      profile,
      environment: environmentOf(simulator.readyLine()),
      level: settings.level,
      seed: settings.seed,
      properties: settings.properties,
      ...(settings.only === undefined ? {} : { only: settings.only }),
    });
    return { ...base, ...judged(trial, report), ...took() };
  } catch (error) {
    const nothing = { violated: [], warned: [], cases: [] };
    const note = error instanceof Error ? error.message.split("\n").slice(0, 2).join(" ") : String(error);
    const outcome =
      error instanceof TargetUnusable ? (trial.kind === "variation" ? "false-alarm" : "refused") : "error";
    return { ...base, ...nothing, outcome, verdict: "none", note, ...took() };
  }
}

function judged(
  trial: Trial,
  report: Report,
): Pick<TrialResult, "outcome" | "violated" | "warned" | "cases" | "verdict"> {
  const having = (outcome: string): string[] =>
    report.clauses.filter((clause) => clause.outcome === outcome).map(({ id }) => id);
  const violated = having("violated");
  const warned = having("warned");
  const cases = report.cases
    .filter(({ outcome }) => outcome === "failed" || outcome === "warned")
    .map(({ id }) => id);
  return {
    outcome: outcomeOf(trial, report, violated, warned),
    violated,
    warned,
    cases,
    verdict: report.verdict,
  };
}

function outcomeOf(
  trial: Trial,
  report: Report,
  violated: readonly string[],
  warned: readonly string[],
): Outcome {
  if (report.verdict === "ERROR") return "error";
  if (trial.kind === "variation") return violated.length > 0 ? "false-alarm" : "unnoticed";
  const red = new Set([...violated, ...(trial.strict ? [] : warned)]);
  if (trial.violates.some((id) => red.has(id))) return "convicted";
  if (red.size > 0) return "by-another-clause";
  return trial.noticeable ? "unnoticed" : "noted";
}
