import type { Report, ReportedCase } from "./report.ts";

/**
 * One JSON value per line: a header, then clauses, rows and rules of every reply, then a footer. A file that ends before
 * its footer is a part of a report, and no verdict may be read from it.
 */
export function ndjsonReport(report: Report): string {
  const { cases, clauses, ambient, verdict, exitCode, reason, summary, leftovers, durationMs, ...header } =
    report;
  return [
    {
      line: "header",
      ...header,
      lines: { case: cases.length, clause: clauses.length, rule: ambient.length },
    },
    ...clauses.map((clause) => ({ line: "clause", ...clause })),
    ...cases.map((row) => ({ line: "case", ...row })),
    ...ambient.map((rule) => ({ line: "rule", ...rule })),
    { line: "footer", verdict, exitCode, reason, summary, leftovers, durationMs },
  ]
    .map((value) => `${JSON.stringify(value)}\n`)
    .join("");
}

/** The report that the lines make; a sentence when they make none. */
export function readNdjson(text: string): Report | string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values: Record<string, unknown>[] = [];
  for (const [index, line] of lines.entries()) {
    const value = parsed(line);
    if (value === undefined)
      return `line ${index + 1} is not a JSON object; the file was cut off, or it is no NDJSON report`;
    values.push(value);
  }
  const [header, footer] = [values[0], values.at(-1)];
  if (header?.["line"] !== "header") return "the first line is not the header of a report";
  if (footer?.["line"] !== "footer")
    return `the footer is missing: the run did not end, or the file was cut off after line ${lines.length}`;
  const those = (kind: string): unknown[] =>
    values.filter(({ line }) => line === kind).map(({ line: _, ...value }) => value);
  const [clauses, cases, ambient] = [those("clause"), those("case"), those("rule")];
  const promised = header["lines"] as Readonly<Record<string, number>> | undefined;
  for (const [kind, list] of Object.entries({ case: cases, clause: clauses, rule: ambient })) {
    if (list.length !== promised?.[kind])
      return `the header promises ${String(promised?.[kind])} lines "${kind}" and there are ${list.length}: lines are missing`;
  }
  const { line: _, lines: __, ...start } = header;
  const { line: ___, ...end } = footer;
  return { ...start, ...end, clauses, cases: cases as ReportedCase[], ambient } as unknown as Report;
}

function parsed(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
