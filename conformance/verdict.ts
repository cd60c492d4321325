import { applyExpectations } from "./expectations/apply-expectations.ts";
import type { ClaimedLevel, ClauseRegister } from "./model/clause.ts";
import type { ExpectationResult, ExpectedFailure } from "./model/expected-failure.ts";
import type { RowResult } from "./model/outcome.ts";
import type { Profile } from "./model/profile.ts";
import type { Scenario } from "./model/scenario.ts";
import type { AmbientLine } from "./runner/ambient-log.ts";
import {
  type ClauseResult,
  type Evidence,
  type Gate,
  type Judgement,
  judgeClauses,
  judgeRun,
} from "./runner/judge.ts";

/** What a run claims and what its owners ask of it. */
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
  /** Undefined: nobody gave an expectation file. */
  readonly expected: readonly ExpectedFailure[] | undefined;
  readonly today: string;
}

export interface Reached {
  readonly rows: readonly RowResult[];
  readonly ambient: readonly AmbientLine[];
  readonly clauses: readonly ClauseResult[];
  readonly judgement: Judgement;
  readonly expectations: readonly ExpectationResult[] | undefined;
}

/** From what a run saw to what is written: findings held against the expectations, clauses, verdict and exit code. */
export function reachVerdict(evidence: Evidence, rules: VerdictRules): Reached {
  const { register, today, expected } = rules;
  const { exercised } = evidence;
  const { rows, ambient, results } = applyExpectations(expected ?? [], evidence, {
    register,
    exercised,
    today,
  });
  const clauses = judgeClauses(register, { rows, ambient, exercised });
  const expectations = expected === undefined ? undefined : results;
  const judgement = judgeRun(clauses, rows, {
    ...rules,
    ambient,
    ...(expectations === undefined ? {} : { expectations }),
  });
  return { rows, ambient, clauses, judgement, expectations };
}

/** Assumed clauses that the profile has turned into promises: an open one leaves the run incomplete. */
export function adoptedClauses(
  scenarios: readonly Scenario[],
  profile: Pick<Profile, "assumptions">,
  register: ClauseRegister,
): ReadonlySet<string> {
  const adopting = scenarios.filter(({ assumes }) =>
    assumes.some((id) => profile.assumptions[id] === "adopt"),
  );
  const cited = adopting.flatMap(({ spec, rows }) => [
    ...spec,
    ...rows.flatMap((row) => [row["spec"] ?? []].flat().map(String)),
  ]);
  return new Set(cited.filter((id) => register.levelOf(id) === "assumed"));
}
