import type { ClauseRegister } from "../model/clause.ts";
import { counted } from "../model/counted.ts";
import {
  type ExpectationResult,
  type ExpectationStatus,
  type ExpectedFailure,
} from "../model/expected-failure.ts";
import type { Difference, Finding } from "../model/finding.ts";
import type { RowResult } from "../model/outcome.ts";
import { placeOf } from "../model/position.ts";
import type { AmbientLine } from "../runner/judge/ambient-log.ts";
import { fingerprintMatches, fingerprintOf } from "./fingerprint.ts";
import { clausesOf, speaksOfFinding, speaksOfRow } from "./subjects.ts";

export interface Judged {
  readonly rows: readonly RowResult[];
  readonly ambient: readonly AmbientLine[];
}

export interface WithExpectations extends Judged {
  readonly results: readonly ExpectationResult[];
}

interface Circumstances {
  readonly register: ClauseRegister;
  /** Clauses that the replies tested. */
  readonly exercised: ReadonlySet<string>;
  /** The values that the run knows as ids. */
  readonly ids: ReadonlySet<string>;
  /** YYYY-MM-DD. */
  readonly today: string;
}

/**
 * Compares the findings of a run with the expectations of the target's owners. A finding that an entry expected names
 * that entry. Its severity, its row and its clause stay the same, because an expected failure is still a failure. Every
 * entry gets a result.
 */
export function applyExpectations(
  entries: readonly ExpectedFailure[],
  { rows, ambient }: Judged,
  circumstances: Circumstances,
): WithExpectations {
  const valid = entries.filter((entry) => !isExpired(entry, circumstances.today));
  const { register, ids } = circumstances;
  const marked = rows.map((row) => ({
    ...row,
    findings: row.findings.map((finding) => {
      const entry = valid.find((candidate) => foresees(candidate, row, finding, { register, ids }));
      return entry === undefined ? finding : { ...finding, expectedBy: placeOf(entry.position) };
    }),
  }));
  const lines = ambient.map((line) => {
    const entry = valid.find((candidate) => foreseesLine(candidate, line, { register, ids }));
    return entry === undefined ? line : { ...line, expectedBy: placeOf(entry.position) };
  });
  const judged = { rows: marked, ambient: lines };
  return { ...judged, results: entries.map((entry) => resultOf(entry, judged, circumstances)) };
}

function isExpired({ expires }: ExpectedFailure, today: string): boolean {
  return expires !== undefined && expires < today;
}

type Known = Pick<Circumstances, "register" | "ids">;

const counts = ({ severity }: { readonly severity: string }): boolean => severity !== "info";

function foresees(
  entry: ExpectedFailure,
  row: RowResult,
  finding: Finding,
  { register, ids }: Known,
): boolean {
  if (!counts(finding) || !speaksOfFinding(entry.subject, row, finding, register)) return false;
  if (entry.outcome === "flaky" && finding.clauses.some((id) => register.levelOf(id) === "required"))
    return false;
  return spells(entry, finding, ids);
}

function foreseesLine(entry: ExpectedFailure, line: AmbientLine, { register, ids }: Known): boolean {
  const { subject, outcome } = entry;
  if (subject.kind !== "clause" || !clausesOf(subject.id, register).includes(line.clause)) return false;
  return (outcome === "fail" || register.levelOf(line.clause) !== "required") && spells(entry, line, ids);
}

function spells(
  { fingerprints }: ExpectedFailure,
  difference: Difference,
  ids: ReadonlySet<string>,
): boolean {
  const actual = fingerprintOf(difference, ids);
  return fingerprints.length === 0 || fingerprints.some((pattern) => fingerprintMatches(pattern, actual));
}

function resultOf(entry: ExpectedFailure, judged: Judged, circumstances: Circumstances): ExpectationResult {
  const { subject, outcome, reason, issue, expires, position } = entry;
  const [status, detail] = statusOf(entry, judged, circumstances);
  return {
    place: placeOf(position),
    subject,
    outcome,
    status,
    detail,
    reason,
    ...(issue === undefined ? {} : { issue }),
    ...(expires === undefined ? {} : { expires }),
  };
}

function statusOf(
  entry: ExpectedFailure,
  { rows, ambient }: Judged,
  { register, exercised, ids, today }: Circumstances,
): readonly [ExpectationStatus, string] {
  const { subject } = entry;
  const name = `${subject.kind} ${subject.id}`;
  if (isExpired(entry, today))
    return [
      "expired",
      `expired on ${entry.expires ?? ""}: fix ${name}, or renew the entry with a new reason`,
    ];
  const place = placeOf(entry.position);
  const speaking = rows.filter((row) => speaksOfRow(subject, row, register));
  const ran = speaking.filter((row) => ["passed", "failed", "warned"].includes(row.outcome));
  const findings = rows.flatMap((row) =>
    row.findings.filter((finding) => counts(finding) && speaksOfFinding(subject, row, finding, register)),
  );
  const lines =
    subject.kind === "clause"
      ? ambient.filter((line) => clausesOf(subject.id, register).includes(line.clause))
      : [];
  const matched = [...findings, ...lines].filter((found) => found.expectedBy === place).length;
  if (matched > 0) return rateOf(entry, ran, place);
  const other = [...findings, ...lines].find((found) => found.expectedBy === undefined);
  if (other !== undefined)
    return [
      "changed",
      `${name} fails in another way than expected: "${fingerprintOf(other, ids)}". That is a new failure`,
    ];
  const untried = speaking.some(({ outcome }) => outcome === "filtered" || outcome === "blocked");
  const exercisedSubject =
    subject.kind === "clause" && clausesOf(subject.id, register).some((id) => exercised.has(id));
  const tried = !untried && (ran.length > 0 || exercisedSubject);
  if (tried)
    return entry.outcome === "flaky"
      ? ["quiet", `${name} held this time`]
      : ["xpass", `${name} was expected to fail and does not: delete the entry`];
  if (speaking.length > 0 && speaking.every((row) => row.outcome === "notApplicable"))
    return ["stale", `${name} does not apply to this target any more: delete the entry`];
  return ["notRun", `${name} was not run to its end, so the entry was not tried`];
}

/** With few rows one failure is allowed at any rate: a rate means nothing for one row. */
function rateOf(
  { outcome, maxRate = 1, subject }: ExpectedFailure,
  ran: readonly RowResult[],
  place: string,
): readonly [ExpectationStatus, string] {
  const name = `${subject.kind} ${subject.id}`;
  if (outcome === "fail") return ["matched", `${name} fails as expected`];
  const failing = ran.filter((row) => row.findings.some(({ expectedBy }) => expectedBy === place)).length;
  const allowed = Math.max(1, Math.floor(maxRate * ran.length));
  return failing > allowed
    ? [
        "tooOften",
        `${name} failed in ${failing} of ${counted(ran.length, "case")}; maxRate ${maxRate} allows ${allowed}`,
      ]
    : ["matched", `${name} failed in ${failing} of ${counted(ran.length, "case")}, which the entry allows`];
}
