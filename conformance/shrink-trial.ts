/** One try of a smaller scenario: whether what is looked for still shows. */
import { runConformance } from "./conform.ts";
import { exitCodes } from "./exit-codes.ts";
import { suiteOf } from "./load-suite.ts";
import type { Exchange } from "./model/exchange.ts";
import type { Profile } from "./model/profile.ts";
import type { Scenario } from "./model/scenario.ts";
import type { ValueMap } from "./model/value.ts";
import type { Report, ReportedCase } from "./report/report.ts";

/** Against what a candidate is tried: disposed of when the try has ended. */
export interface ShrinkTarget extends AsyncDisposable {
  readonly profile: Profile;
}

/** The goal: findings against these clauses, or without clauses every answer that is not as expected. */
export interface ShrinkGoal {
  readonly clauses?: readonly string[];
}

export interface Seen {
  /** The findings that count: `place1 status 400`, an expectation that failed, or `PLC-10 /data/order/id`, a rule for every answer. */
  readonly signs: ReadonlySet<string>;
  /** The step that showed it. */
  readonly step?: string;
  /** Everything was as the scenario and the rules want it. */
  readonly passed: boolean;
  /** The result, for a person. */
  readonly sentence: string;
}

/** A rule for every answer that was violated ends the try, because nothing more is to be seen. */
export async function lookFor(
  { clauses }: ShrinkGoal,
  document: ValueMap,
  { profile }: ShrinkTarget,
  signal: AbortSignal,
): Promise<Seen> {
  const { suite, problems } = await suiteOf(String(document["id"]), document);
  if (problems.length > 0)
    return { signs: new Set(), passed: false, sentence: problems[0]?.message ?? "it is not valid" };
  const scenarios = suite.scenarios.map((one) => ({ ...one, timeoutMs: timeFor(one) }));
  const end = new AbortController();
  const signs = new Set<string>();
  const onAmbient = (clause: string, pointer: string, { request }: Exchange): void => {
    if (
      clauses?.includes(clause) !== true ||
      request.permit?.caseId.startsWith(String(document["id"])) !== true
    )
      return;
    signs.add(`${clause} ${pointer}`);
    end.abort();
  };
  const { report } = await runConformance({
    read: { profile, suite: { ...suite, scenarios } },
    level: "full",
    properties: "off",
    order: "stable",
    seed: 1,
    onAmbient,
    signal: AbortSignal.any([signal, end.signal]),
  });
  const failures = report.cases.flatMap((one) => failuresOf(one, clauses));
  const step = signs.size > 0 ? lastStepIn(report.cases) : failures[0]?.step;
  for (const one of failures) signs.add(one.sign);
  return {
    signs,
    ...(step === undefined ? {} : { step }),
    passed:
      report.exitCode !== exitCodes.nonConformant &&
      report.cases.every(({ outcome }) => outcome === "passed" || outcome === "warned"),
    sentence: sentenceOf(report),
  };
}

/** A session of thousands of requests takes longer than a case may. */
const timeFor = ({ timeoutMs, steps }: Scenario): number => timeoutMs * Math.ceil(steps.length / 500);

/** The expectations that failed: where, and what was there. Another failure of the same step is another one. */
const failuresOf = ({ findings }: ReportedCase, wanted: readonly string[] | undefined) =>
  findings
    .filter(({ severity, clauses }) =>
      wanted === undefined
        ? severity === "fail"
        : severity !== "info" && clauses.some((id) => wanted.includes(id)),
    )
    .map(({ step: name, pointer, actual }) => {
      const step = name.replace(/\[.*$/s, "");
      return { step, sign: `${step} ${pointer} ${actual.replace(/[0-9a-f-]{8,}|\d+/g, "#").slice(0, 80)}` };
    });

const lastStepIn = (cases: readonly ReportedCase[]): string | undefined =>
  cases.flatMap(({ trace }) => trace?.exchanges ?? []).at(-1)?.step;

/** The findings in place of the wanted one. */
function sentenceOf({ cases, clauses, reason }: Report): string {
  const row = cases.find(({ outcome }) => outcome !== "passed");
  const finding = row?.findings.find(({ severity }) => severity !== "info");
  if (finding !== undefined) return `${finding.step}: expected ${finding.expected}, was ${finding.actual}`;
  const violated = clauses.filter(({ outcome }) => outcome === "violated").map(({ id }) => id);
  return violated.length > 0 ? `Violated: ${violated.join(", ")}` : (row?.reason ?? reason);
}
