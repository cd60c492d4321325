import type { ClauseRegister } from "../model/clause.ts";
import { type ClauseResult, claimedClauses } from "../runner/judge.ts";
import type { Report, ReportedCase, ReportedFinding } from "./report.ts";

/**
 * The report for a person. What failed comes first and whole: what was expected, what was found, where, which clause.
 * Everything a target said is made printable: no terminal escape, no line of its own, no CI command gets out.
 */
export function consoleReport(report: Report, register: ClauseRegister): string {
  const lines: string[] = [];
  for (const row of report.cases.filter((candidate) => candidate.outcome === "failed"))
    lines.push(...caseLines(row, register));
  for (const line of report.ambient.filter((candidate) => candidate.severity === "fail")) {
    lines.push(
      `FAILED  every reply ${line.clause} × ${line.count}`,
      ...difference(line),
      `          e.g. ${printable(line.firstRequest)}`,
      statement(line.clause, register),
    );
  }
  for (const row of report.cases.filter((candidate) => candidate.outcome === "error"))
    lines.push(`ERROR   ${row.id}: ${printable(row.reason ?? "")}`);
  lines.push(...warnings(report), ...blocked(report), ...unverified(report, register), ...summary(report));
  return `${lines.join("\n")}\n`;
}

function caseLines(row: ReportedCase, register: ClauseRegister): string[] {
  const lines = [`FAILED  ${row.id}: ${printable(row.title)}`];
  for (const finding of row.findings.filter((candidate) => candidate.severity === "fail").slice(0, 10))
    lines.push(...findingLines(finding, register));
  return lines;
}

function findingLines(finding: ReportedFinding, register: ClauseRegister): string[] {
  const request = finding.request === undefined ? "" : ` · ${printable(finding.request)}`;
  const clauses = finding.clauses.slice(0, 4).map((id) => statement(id, register));
  return [
    ...difference(finding),
    `          where    ${finding.place} · step ${finding.step}${request}`,
    ...clauses,
  ];
}

function difference({
  pointer,
  expected,
  actual,
}: {
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
}): string[] {
  const at = pointer === "" ? "" : `${printable(pointer)}: `;
  return [`          expected ${at}${printable(expected)}`, `          was      ${printable(actual)}`];
}

function statement(id: string, register: ClauseRegister): string {
  return `          clause   ${id} ${register.get(id)?.statement ?? ""}`.trimEnd();
}

function warnings(report: Report): string[] {
  const rows = report.cases.flatMap((row) =>
    row.findings
      .filter((finding) => finding.severity === "warn")
      .map(
        (finding) =>
          `WARNED  ${row.id} · ${finding.clauses.join(" ")} · ${printable(finding.pointer)} expected ${printable(finding.expected)}, was ${printable(finding.actual)}`,
      ),
  );
  const ambient = report.ambient
    .filter((line) => line.severity === "warn")
    .map(
      (line) =>
        `WARNED  every reply ${line.clause} × ${line.count} · ${printable(line.pointer)} expected ${printable(line.expected)}, was ${printable(line.actual)}`,
    );
  return [...rows, ...ambient];
}

/** One line per reason, because one missing fact blocks many cases. */
function blocked(report: Report): string[] {
  const reasons = new Map<string, string[]>();
  for (const row of report.cases.filter((candidate) => candidate.outcome === "blocked")) {
    const reason = row.reason ?? "unknown reason";
    reasons.set(reason, [...(reasons.get(reason) ?? []), row.id]);
  }
  return [...reasons].map(
    ([reason, ids]) =>
      `BLOCKED ${ids.length} × ${printable(reason)} (${ids.slice(0, 3).join(", ")}${ids.length > 3 ? ", …" : ""})`,
  );
}

function unverified(report: Report, register: ClauseRegister): string[] {
  const open = claimedClauses(report.clauses, { level: report.level, register }).filter(
    (clause) => clause.outcome === "unverified",
  );
  if (open.length === 0) return [];
  const [tried, untried] = [open.filter(hasCases), open.filter((clause) => !hasCases(clause))];
  return [
    ...(tried.length === 0
      ? []
      : [
          `OPEN    ${tried.length} required clauses could not be verified: ${tried.map(({ id }) => id).join(" ")}`,
        ]),
    ...(untried.length === 0
      ? []
      : [
          `OPEN    ${untried.length} required clauses have no case here: ${untried.map(({ id }) => id).join(" ")}`,
        ]),
  ];
}

const hasCases = (clause: ClauseResult): boolean => clause.cases.length > 0;

function summary(report: Report): string[] {
  const { cases, requests, orders } = report.summary;
  const counts = `${cases.passed} passed, ${cases.failed} failed, ${cases.warned} warned, ${cases.blocked} blocked, ${cases.notApplicable} not applicable, ${cases.filtered} filtered, ${cases.error} errors`;
  const left =
    report.leftovers.length === 0
      ? []
      : [
          `${report.leftovers.length} orders are left open: ${report.leftovers
            .slice(0, 5)
            .map(({ id }) => printable(id))
            .join(", ")}${report.leftovers.length > 5 ? ", …" : ""}`,
        ];
  return [
    "",
    `${counts}; ${requests} requests, ${orders} orders, ${(report.durationMs / 1000).toFixed(1)} s, seed ${report.seed}`,
    ...left,
    `${report.verdict} at level ${report.level} of ${printable(report.target.name)}: ${report.reason}`,
  ];
}

/** Control, bidirectional and line-breaking characters are shown as `\u{…}` (reliability 4.2, 14 and 15). */
export function printable(text: string): string {
  return text.replace(
    /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
