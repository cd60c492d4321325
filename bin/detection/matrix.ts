/** The matrices as a person reads them, and their totals. */
import type { ClaimedLevel } from "../../conformance/commands.ts";
import type { Trial } from "./catalogue.ts";
import type { TrialOutcome, TrialResult } from "./trial.ts";

export interface Matrix {
  readonly type: "gatewright-detection/1";
  readonly startedAt: string;
  readonly level: ClaimedLevel;
  readonly seed: number;
  readonly properties: string;
  /** Trials ended at their first conviction. */
  readonly early: boolean;
  /** How many ran at once. */
  readonly jobs: number;
  readonly durationMs: number;
  readonly totals: Readonly<Record<Trial["kind"], Totals>>;
  readonly results: readonly MatrixResult[];
}

export type MatrixResult = TrialResult & { readonly kind: Trial["kind"] };

export interface Totals {
  readonly of: number;
  readonly wanted: number;
  readonly others: readonly string[];
}

/** The wanted outcome for each kind of trial. */
const wantedOutcomes: Readonly<Record<Trial["kind"], readonly TrialOutcome[]>> = {
  named: ["convicted", "noted"],
  field: ["convicted", "noted"],
  independent: ["convicted", "noted"],
  variation: ["unnoticed"],
  combination: ["unnoticed"],
  hostile: ["unnoticed"],
};

export function matrixOf(
  trials: readonly Trial[],
  results: readonly TrialResult[],
  run: Omit<Matrix, "type" | "totals" | "results">,
): Matrix {
  const kinds = new Map(trials.map(({ id, kind }) => [id, kind]));
  const all = results.map((result) => ({ ...result, kind: kinds.get(result.id) ?? "named" }));
  const totalsOf = (kind: Trial["kind"]): Totals => {
    const mine = all.filter((result) => result.kind === kind);
    const others = mine.filter((result) => !isWanted(result)).map(({ id }) => id);
    return { of: mine.length, wanted: mine.length - others.length, others };
  };
  return {
    type: "gatewright-detection/1",
    ...run,
    totals: {
      named: totalsOf("named"),
      field: totalsOf("field"),
      independent: totalsOf("independent"),
      variation: totalsOf("variation"),
      combination: totalsOf("combination"),
      hostile: totalsOf("hostile"),
    },
    results: all,
  };
}

export const isWanted = ({ kind, outcome }: MatrixResult): boolean => wantedOutcomes[kind].includes(outcome);

export const isAsWanted = ({ totals }: Matrix): boolean =>
  Object.values(totals).every(({ others }) => others.length === 0);

/** One line of the kill matrix. */
export function resultLine({
  id,
  outcome,
  expected,
  violated,
  warned,
  cases,
  durationMs,
  early,
  note,
}: TrialResult): string {
  const red = [...violated, ...warned.map((clause) => `(${clause})`)];
  const shown = red.length > 8 ? [...red.slice(0, 8), `+${red.length - 8}`] : red;
  const speed = early === true ? ", ended there" : "";
  const clauses = `${expected.join(" ") || "-"} -> ${shown.join(" ") || "nothing"}`;
  const seconds = (durationMs / 1000).toFixed(1);
  return `${outcome.padEnd(17)} ${id.padEnd(34)} ${clauses}; ${cases.length} cases, ${seconds} s${speed}${note === undefined ? "" : `; ${note}`}`;
}

export function summaryLines({ totals, results, durationMs, level, seed, jobs }: Matrix): string[] {
  const line = (name: string, { of, wanted, others }: Totals): string[] =>
    of === 0 ? [] : [`${name}: ${wanted} of ${of}${others.length === 0 ? "" : `; not ${others.join(" ")}`}`];
  return [
    ...line("named bugs convicted", totals.named),
    ...line("field bugs convicted", totals.field),
    ...line("independent bugs convicted", totals.independent),
    ...line("legal variations without a false alarm", totals.variation),
    ...line("combinations of legal variations without a false alarm", totals.combination),
    ...line("seeds of hostile mode that are conformant", totals.hostile),
    `level ${level}, seed ${seed}, ${seconds(durationMs)} with ${jobs} at once; ${whatDominates(results)}`,
  ];
}

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(0)} s`;

/** Trials that end at their conviction are short; the others run the whole suite. */
function whatDominates(results: readonly MatrixResult[]): string {
  const time = (some: readonly MatrixResult[]): number =>
    some.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const whole = results.filter(({ early }) => early !== true);
  const [slowest] = results.toSorted((one, other) => other.durationMs - one.durationMs);
  if (slowest === undefined) return "nothing ran";
  const share = Math.round((100 * time(whole)) / Math.max(1, time(results)));
  return `${whole.length} of ${results.length} trials ran the whole suite and took ${share} % of the time, the longest ${slowest.id} with ${seconds(slowest.durationMs)}`;
}
