/**
 * One trial: the suite against a simulator that misbehaves in one named way, and what the kit made of it.
 *
 * **Invariants.** The kit is told nothing about the defect; with `stopAtConviction` it is told which clauses to begin
 * with and that the first finding against one of them ends the run, which changes no finding. A run that ended because
 * time was up proves nothing and is no detection. A bug is *convicted* when one of the clauses it breaks is violated (or
 * warned about, when none of them is required); a red clause that the bug does not break is shown as such.
 *
 * Scenarios, register and profile are read once for each process, not for each trial.
 */
import path from "node:path";
import {
  type ClaimedLevel,
  environmentOf,
  packageRoot,
  type Report,
  readProfileFile,
  readSuite,
  runConformance,
  UnusableRun,
  UsageError,
} from "../../conformance/commands.ts";
import { startSimulator } from "../../simulator/index.ts";
import type { Trial } from "./catalogue.ts";

export type TrialOutcome =
  /** A clause that it breaks went red (yellow, when the document only recommends it). */
  | "convicted"
  /** The first signed request was refused, and nothing shows which clause that breaks. */
  | "refused"
  /** Only clauses that it does not break went red. */
  | "by-another-clause"
  /** Nothing went red. For a legal variation, that is what is wanted. */
  | "unnoticed"
  /** It breaks no required and no recommended clause, and no required one was called violated. */
  | "noted"
  /** A required clause was called violated because of a legal variation. */
  | "false-alarm"
  | "error";

export interface TrialResult {
  readonly id: string;
  readonly title: string;
  readonly expected: readonly string[];
  readonly outcome: TrialOutcome;
  readonly violated: readonly string[];
  readonly warned: readonly string[];
  /** Cases and properties that failed or warned. */
  readonly cases: readonly string[];
  readonly verdict: string;
  readonly note?: string;
  /** Ended at the first conviction: it is not known which other clauses would have gone red. */
  readonly early?: true;
  readonly durationMs: number;
}

export interface TrialSettings {
  readonly level: ClaimedLevel;
  readonly seed: number;
  /** `unconvicted`: after cases that did not convict, and for no combination: each of its variations is tried alone. */
  readonly properties: "on" | "off" | "unconvicted";
  readonly stopAtConviction: boolean;
  readonly only?: readonly string[];
}

type Findings = Pick<TrialResult, "violated" | "warned" | "cases" | "verdict" | "note">;

export async function runTrial(trial: Trial, settings: TrialSettings): Promise<TrialResult> {
  const started = Date.now();
  const { properties } = settings;
  let found = await tried(trial, settings, properties === "on" ? "on" : "off");
  const outcome = (): TrialOutcome => outcomeOf(trial, found, settings.only !== undefined);
  if (properties === "unconvicted" && trial.kind !== "combination" && isOpen(outcome()))
    found = together(found, await tried(trial, settings, "only"));
  const { id, title, violates } = trial;
  const early = settings.stopAtConviction && outcome() === "convicted";
  return {
    id,
    title,
    expected: violates,
    outcome: outcome(),
    ...found,
    ...(early ? { early } : {}),
    durationMs: Date.now() - started,
  };
}

const isOpen = (outcome: TrialOutcome): boolean => outcome === "unnoticed" || outcome === "by-another-clause";

let files: ReturnType<typeof readFiles> | undefined;

async function readFiles() {
  const { suite, problems } = await readSuite([]);
  if (problems.length > 0) throw new UsageError("the scenarios are not valid", problems);
  const profileFor = await readProfileFile(
    path.join(packageRoot(), "fixtures", "profiles", "simulator.yaml"),
  );
  return { suite, profileFor };
}

async function tried(
  trial: Trial,
  { level, seed, only, stopAtConviction }: TrialSettings,
  properties: "on" | "off" | "only",
): Promise<Findings> {
  files ??= readFiles();
  const { suite, profileFor } = await files;
  await using simulator = await startSimulator({
    defects: [...trial.defects],
    // The log is not read here, and the search for the mistake in each wrong signature takes longer than the answer.
    exchanges: false,
    ...(trial.hostile === undefined ? {} : { hostile: trial.hostile }),
  });
  try {
    const { report } = await runConformance({
      read: { profile: await profileFor(environmentOf(simulator.readyLine())), suite },
      level,
      seed,
      properties,
      ...(only === undefined ? {} : { only }),
      ...(stopAtConviction && trial.violates.length > 0
        ? { stopAtConviction: { clauses: trial.violates, warned: trial.mild, until: trial.by } }
        : {}),
    });
    return findingsIn(report);
  } catch (error) {
    const note = error instanceof Error ? error.message.split("\n").slice(0, 2).join(" ") : String(error);
    if (error instanceof UnusableRun) return { ...findingsIn(error.run.report), verdict: "REFUSED", note };
    return { violated: [], warned: [], cases: [], verdict: "ERROR", note };
  }
}

function findingsIn(report: Report): Findings {
  const having = (outcome: string): string[] =>
    report.clauses.filter((clause) => clause.outcome === outcome).map(({ id }) => id);
  return {
    violated: having("violated"),
    warned: having("warned"),
    cases: report.cases
      .filter(({ outcome }) => outcome === "failed" || outcome === "warned")
      .map(({ id }) => id),
    verdict: report.verdict,
  };
}

function together(one: Findings, other: Findings): Findings {
  const both = (field: "violated" | "warned" | "cases"): string[] => [
    ...new Set([...one[field], ...other[field]]),
  ];
  const violated = both("violated");
  return {
    ...one,
    ...(other.verdict === "ERROR" ? { verdict: "ERROR" } : {}),
    violated,
    warned: both("warned").filter((id) => !violated.includes(id)),
    cases: both("cases"),
  };
}

/** `part`: only some of the cases ran, so no verdict is better than INCOMPLETE. */
function outcomeOf(trial: Trial, { verdict, violated, warned }: Findings, part: boolean): TrialOutcome {
  if (verdict === "ERROR") return "error";
  if (trial.kind === "hostile") {
    const isWanted = verdict === "CONFORMANT" || (part && verdict === "INCOMPLETE" && warned.length === 0);
    return isWanted ? "unnoticed" : "false-alarm";
  }
  const isLegal = trial.kind === "variation" || trial.kind === "combination";
  if (isLegal) return violated.length > 0 || verdict === "REFUSED" ? "false-alarm" : "unnoticed";
  const { violates, mild, by } = trial;
  const isRed = (id: string): boolean => violated.includes(id) || (mild.includes(id) && warned.includes(id));
  if (violates.length > 0 && (by === "one" ? violates.some(isRed) : violates.every(isRed)))
    return "convicted";
  if (verdict === "REFUSED") return "refused";
  // Nothing more than a warning is wanted of a bug that breaks no promise.
  if (!trial.noticeable) return violated.length > 0 ? "by-another-clause" : "noted";
  const isAnotherRed = violated.length > 0 || (mild.length > 0 && warned.length > 0);
  return isAnotherRed ? "by-another-clause" : "unnoticed";
}
