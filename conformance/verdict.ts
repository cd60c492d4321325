import { applyExpectations } from "./expectations/apply-expectations.ts";
import type { ClaimedLevel, ClauseRegister } from "./model/clause.ts";
import type { ExpectationResult, ExpectedFailure } from "./model/expected-failure.ts";
import type { RowResult } from "./model/outcome.ts";
import type { Scenario } from "./model/scenario.ts";
import type { AmbientLine } from "./runner/judge/ambient-log.ts";
import { type ClauseResult, type Evidence, judgeClauses } from "./runner/judge/clause-outcomes.ts";
import { type Gate, type Judgement, judgeRun } from "./runner/judge/judge.ts";
import type { Session } from "./runner/session.ts";

/** The claim of a run, and its owners' conditions. */
export interface VerdictRules {
  readonly level: ClaimedLevel;
  readonly register: ClauseRegister;
  readonly selection: boolean;
  readonly ownScenarios?: boolean | undefined;
  readonly part?: boolean;
  readonly failOnWarnings: boolean;
  readonly failOnExtra: boolean;
  readonly gate: Gate;
  readonly interrupted: boolean | "SIGINT" | "SIGTERM";
  readonly adopted: ReadonlySet<string>;
  readonly safetyStop?: string | undefined;
  readonly unusable?: string | undefined;
  /** Undefined: there is no expectation file. */
  readonly expected: readonly ExpectedFailure[] | undefined;
  readonly today: string;
}

export interface Reached {
  readonly rows: readonly RowResult[];
  readonly ambient: readonly AmbientLine[];
  readonly clauses: readonly ClauseResult[];
  readonly judgement: Judgement;
  readonly expectations: readonly ExpectationResult[] | undefined;
  readonly ids: ReadonlySet<string>;
}

/**
 * From the evidence of a run to its results: findings compared with the expectations, clauses, verdict and exit code.
 */
export function reachVerdict(evidence: Evidence, rules: VerdictRules): Reached {
  const { register, today, expected } = rules;
  const { exercised, promised, ids = new Set<string>() } = evidence;
  const { rows, ambient, results } = applyExpectations(expected ?? [], evidence, {
    register,
    exercised,
    ids,
    today,
  });
  const clauses = judgeClauses(register, {
    rows,
    ambient,
    exercised,
    ...(promised === undefined ? {} : { promised }),
  });
  const expectations = expected === undefined ? undefined : results;
  const judgement = judgeRun(clauses, rows, {
    ...rules,
    ambient,
    ...(expectations === undefined ? {} : { expectations }),
  });
  return { rows, ambient, clauses, judgement, expectations, ids };
}

/** Clauses that the profile makes required: adopted assumptions, and clauses that a statement promises. */
export function adoptedClauses(
  scenarios: readonly Scenario[],
  { profile, parts, promises }: Session,
): ReadonlySet<string> {
  const adopting = scenarios.filter(({ assumes }) =>
    assumes.some((id) => profile.assumptions[id] === "adopt"),
  );
  const cited = adopting.flatMap(({ spec, rows }) => [
    ...spec,
    ...rows.flatMap((row) => [row["spec"] ?? []].flat().map(String)),
  ]);
  const assumed = cited.filter((id) => parts.clauses.levelOf(id) === "assumed");
  return new Set([...assumed, ...promises.stated.keys()]);
}
