import { printable } from "../model/printable.ts";
import { elsewhereLines } from "./elsewhere.ts";
import { shortened } from "./printable.ts";
import { isExpected } from "./problems.ts";
import { againCommand, type Report, type ReportedCase } from "./report.ts";
import { exchangeLine } from "./text-trace.ts";

/**
 * TAP 14. A row that could not run is `# SKIP` with its reason, which harnesses count separately from passes.
 * Diagnostics are YAML with every text as a JSON string: in this subset text of a target has no special meaning.
 */
export function tapReport(report: Report): string {
  const broken = report.ambient.filter(({ severity }) => severity === "fail");
  const lines = ["TAP version 14", `1..${report.cases.length + broken.length}`];
  for (const [index, row] of report.cases.entries()) lines.push(...rowLines(index + 1, row, report));
  for (const [index, rule] of broken.entries()) {
    const { clause, pointer, expected, actual, count, expectedBy, evidence, again = "", said } = rule;
    const { case: first = "", step = "", exchanges = [] } = evidence ?? {};
    const name = described(`every reply ${clause} ${pointer}`);
    lines.push(`not ok ${report.cases.length + index + 1} - ${name}${expectation(expectedBy)}`);
    const where = {
      case: first,
      step,
      exchanges: exchanges.map((one) => ({ was: exchangeLine(one, 1000) })),
    };
    const own = said === undefined ? {} : { said };
    lines.push(
      ...diagnostics({
        expected,
        actual,
        ...own,
        replies: count,
        ...where,
        ...incidents(report, [clause]),
        again,
      }),
    );
  }
  lines.push(`# ${report.verdict}: ${printable(report.reason)}`);
  return `${lines.join("\n")}\n`;
}

function rowLines(number: number, row: ReportedCase, report: Report): string[] {
  const { outcome, reason = "" } = row;
  const bad = outcome === "failed" || outcome === "error";
  const head = `${bad ? "not ok" : "ok"} ${number} - ${described(row.id)}`;
  const skip = { blocked: "BLOCKED", notApplicable: "not applicable", filtered: "not selected" }[
    outcome as string
  ];
  if (skip !== undefined) return [`${head} # SKIP ${described(`${skip}: ${reason}`)}`];
  const told = row.findings.filter(({ severity }) => severity !== "info").slice(0, 5);
  if (told.length === 0 && !bad) return [head];
  const details = told.map(({ severity, clauses, pointer, expected, actual, said, place, step }) => ({
    severity,
    clauses: clauses.join(" "),
    pointer,
    expected: shortened(expected, 500),
    actual: shortened(actual, 500),
    ...(said === undefined ? {} : { said }),
    at: `${place} step ${step}`,
  }));
  const directive = isExpected(row) ? expectation(told[0]?.expectedBy) : "";
  const extra = bad ? { again: againCommand(report, [row.id]), ...(reason === "" ? {} : { reason }) } : {};
  const failed = row.findings.filter(({ severity }) => severity === "fail");
  const elsewhere = incidents(
    report,
    failed.flatMap(({ clauses }) => clauses),
  );
  return [head + directive, ...diagnostics({ title: row.title, ...extra, ...elsewhere, findings: details })];
}

function incidents(report: Report, clauses: readonly string[]): { readonly elsewhere?: string } {
  const lines = elsewhereLines(report, clauses);
  return lines.length === 0 ? {} : { elsewhere: lines.join("; ") };
}

/** TAP's word for a known failure. */
function expectation(by: string | undefined): string {
  return by === undefined ? "" : ` # TODO ${described(`expected by ${by}`)}`;
}

/** A `#` would begin a directive, and a backslash an escape. */
function described(text: string): string {
  return printable(text).replace(/[\\#]/g, (character) => `\\${character}`);
}

type Plain = string | number | readonly Readonly<Record<string, string>>[];

function diagnostics(values: Readonly<Record<string, Plain>>): string[] {
  const lines = Object.entries(values).flatMap(([key, value]) => {
    if (typeof value === "string") return [`${key}: ${quoted(value)}`];
    if (typeof value === "number") return [`${key}: ${value}`];
    return [`${key}:`, ...value.flatMap(listItem)];
  });
  return ["  ---", ...lines.map((line) => `  ${line}`), "  ..."];
}

function listItem(item: Readonly<Record<string, string>>): string[] {
  return Object.entries(item).map(
    ([key, text], index) => `${index === 0 ? "  - " : "    "}${key}: ${quoted(text)}`,
  );
}

const quoted = (text: string): string => JSON.stringify(printable(text));
