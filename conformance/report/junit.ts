import xmlbuilder from "xmlbuilder";
import { printableLines } from "../model/printable.ts";
import { elsewhereLines } from "./elsewhere.ts";
import { shortened } from "./printable.ts";
import { firstIn, isExpected } from "./problems.ts";
import {
  againCommand,
  type Report,
  type ReportedCase,
  type ReportedFinding,
  type ReportedRule,
} from "./report.ts";
import { exchangesText, traceText } from "./text-trace.ts";

/**
 * JUnit XML: a suite per area, a case per row. A failed row has a <failure>. <skipped> with a reason marks a row that
 * could not run, a row that does not apply, and an expected failure, because JUnit has no word for these. Rows that
 * were not selected are left out. Warnings are in <system-out>. Clause ids and levels are properties, because JUnit has
 * no place for them.
 */
export function junitReport(report: Report): string {
  const areas = new Map<string, ReportedCase[]>();
  // A run of one level leaves out hundreds of rows that the user did not ask for.
  const asked = report.cases.filter(({ outcome }) => outcome !== "filtered");
  for (const row of asked) {
    const area = /^[a-z]+/i.exec(row.id)?.[0] ?? "cases";
    areas.set(area, [...(areas.get(area) ?? []), row]);
  }
  const root = xmlbuilder.create("testsuites", { encoding: "UTF-8", invalidCharReplacement: "�" });
  const broken = report.ambient.filter(
    ({ severity, expectedBy }) => severity === "fail" && expectedBy === undefined,
  );
  const suites = [
    ...[...areas.values()].map(countsOf),
    { tests: broken.length, failures: broken.length, errors: 0 },
  ];
  const sum = (name: keyof Counts): number => suites.reduce((total, counts) => total + counts[name], 0);
  attributes(root, {
    name: `gatewright ${report.level}`,
    tests: sum("tests"),
    failures: sum("failures"),
    errors: sum("errors"),
    time: seconds(report.durationMs),
  });
  const levels = new Map(report.clauses.map(({ id, level }) => [id, level]));
  for (const [area, rows] of areas) suite(root, area, rows, report, levels);
  suiteOfEveryReply(root, broken, report);
  return `${root.end({ pretty: true })}\n`;
}

type Element = xmlbuilder.XMLElement;

function suite(
  root: Element,
  area: string,
  rows: readonly ReportedCase[],
  report: Report,
  levels: ReadonlyMap<string, string>,
): void {
  const element = root.ele("testsuite");
  const total = rows.reduce((sum, row) => sum + row.durationMs, 0);
  const skipped = rows.filter((row) => isSkipped(row) || isExpected(row)).length;
  attributes(element, {
    name: area,
    ...countsOf(rows),
    skipped,
    time: seconds(total),
    timestamp: report.startedAt.slice(0, 19),
  });
  properties(element, {
    target: report.target.name,
    kit: report.kit,
    seed: String(report.seed),
    verdict: report.verdict,
  });
  for (const row of rows) testCase(element, area, row, report, levels);
}

function testCase(
  parent: Element,
  area: string,
  row: ReportedCase,
  report: Report,
  levels: ReadonlyMap<string, string>,
): void {
  const element = parent.ele("testcase");
  attributes(element, { name: row.id, classname: `gatewright.${area}`, time: seconds(row.durationMs) });
  const weights = [...new Set(row.clauses.map((id) => levels.get(id) ?? "unknown"))];
  properties(element, {
    clauses: row.clauses.join(" "),
    level: weights.join(" "),
    scenario: row.place,
    outcome: isExpected(row) ? "xfail" : row.outcome,
  });
  const failed = row.findings.filter(({ severity }) => severity === "fail");
  const warned = row.findings.filter(({ severity }) => severity === "warn");
  const [first] = failed;
  if (isExpected(row)) {
    const by = [...new Set(failed.map(({ expectedBy }) => expectedBy ?? ""))].join(", ");
    const message = clean(`XFAIL: expected by ${by}: ${failed.map(sentence).join("; ")}`);
    attributes(element.ele("skipped"), { type: "xfail", message: shortened(message, 1000) });
  } else if (row.outcome === "failed") {
    const message = first === undefined ? (row.reason ?? "failed") : sentence(first);
    const text = [
      ...failed.map(paragraph),
      ...elsewhereText(
        report,
        failed.flatMap(({ clauses }) => clauses),
      ),
      againCommand(report, [row.id]),
      traceText(row, report.target.baseUrl),
    ].join("\n\n");
    addProblem(element, "failure", "required", message, text);
  } else if (row.outcome === "error") {
    addProblem(element, "error", "kit", row.reason ?? "an error of the kit", row.reason ?? "");
  } else if (isSkipped(row)) {
    attributes(element.ele("skipped"), {
      message: clean(`${skipWords[row.outcome] ?? ""}: ${row.reason ?? ""}`),
    });
  }
  if (warned.length > 0)
    element.ele("system-out").txt(clean(warned.map((item) => `WARNED ${paragraph(item)}`).join("\n\n")));
}

/** Rules of every reply are not rows, but a build has to fail because of them. */
function suiteOfEveryReply(root: Element, broken: readonly ReportedRule[], report: Report): void {
  if (broken.length === 0) return;
  const element = root.ele("testsuite");
  attributes(element, {
    name: "every reply",
    tests: broken.length,
    failures: broken.length,
    errors: 0,
    skipped: 0,
    time: "0",
  });
  for (const rule of broken) {
    const { clause, pointer, count, firstRequest, evidence, again = "" } = rule;
    const row = element.ele("testcase");
    attributes(row, { name: `${clause} ${pointer}`, classname: "gatewright.every-reply", time: "0" });
    properties(row, { clauses: clause, level: "required" });
    const text = [
      `${count} replies${firstIn(evidence)}: ${firstRequest}`,
      ...elsewhereText(report, [clause]),
      again,
      exchangesText(evidence?.exchanges ?? [], report.target.baseUrl),
    ].join("\n\n");
    addProblem(row, "failure", "required", `${clause}: ${difference(rule)}`, text);
  }
}

function addProblem(
  parent: Element,
  kind: "failure" | "error",
  type: string,
  message: string,
  text: string,
): void {
  const element = parent.ele(kind);
  attributes(element, { type, message: clean(shortened(message, 1000)) });
  element.txt(clean(text));
}

function properties(parent: Element, given: Readonly<Record<string, string>>): void {
  const element = parent.ele("properties");
  for (const [name, value] of Object.entries(given)) attributes(element.ele("property"), { name, value });
}

function attributes(element: Element, given: Readonly<Record<string, string | number>>): void {
  for (const [name, value] of Object.entries(given)) element.att(name, clean(String(value)));
}

/** Characters that XML cannot contain, and those that would reverse the text, are shown as escapes. */
function clean(text: string): string {
  return printableLines(text).replace(/[\ufffe\uffff]/g, "�");
}

function sentence(finding: ReportedFinding): string {
  const clauses = finding.clauses.join(" ");
  const about = finding.recorded === true ? `differs from the recording (${clauses})` : clauses;
  return `${about}: ${finding.pointer === "" ? "" : `${finding.pointer} `}${difference(finding)}`;
}

function difference({ expected, actual, said }: ReportedFinding | ReportedRule): string {
  return `expected ${expected}, was ${actual}${said === undefined ? "" : ` (${said})`}`;
}

function paragraph(finding: ReportedFinding): string {
  const { place, step, request, drawing = [] } = finding;
  const where = `at ${place}, step ${step}`;
  return [sentence(finding), where, ...(request === undefined ? [] : [request]), ...drawing].join("\n");
}

function elsewhereText(report: Report, clauses: readonly string[]): string[] {
  const lines = elsewhereLines(report, clauses);
  return lines.length === 0 ? [] : [lines.map((line) => `the same fault elsewhere: ${line}`).join("\n")];
}

const skipWords: Partial<Record<ReportedCase["outcome"], string>> = {
  blocked: "BLOCKED",
  notApplicable: "NOT APPLICABLE",
};

const isSkipped = ({ outcome }: ReportedCase): boolean => skipWords[outcome] !== undefined;

interface Counts {
  readonly tests: number;
  readonly failures: number;
  readonly errors: number;
}

function countsOf(rows: readonly ReportedCase[]): Counts {
  const count = (outcome: string): number =>
    rows.filter((row) => row.outcome === outcome && !isExpected(row)).length;
  return { tests: rows.length, failures: count("failed"), errors: count("error") };
}

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);
