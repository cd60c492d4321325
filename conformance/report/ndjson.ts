import { createHash } from "node:crypto";
import { jsonText } from "../model/printable.ts";
import { type Report, type ReportedCase, type ReportStart, startFields } from "./report.ts";
import { singleReading } from "./single-reading.ts";

/**
 * One JSON value per line, in the order of the run: a header before anything is sent, a line for each case at its end,
 * then cases that did not run, clauses, rules of every reply, and a footer. If the verdict changes a case, for example
 * by an expectation, a second line for the case replaces the first. A file without a footer is an incomplete report,
 * and it has no verdict.
 */
export class NdjsonLines {
  readonly #said = new Map<string, string>();

  begin(start: ReportStart): string {
    return lineOf("header", Object.fromEntries(startFields.map((field) => [field, start[field]])));
  }

  /** Empty if the line was already written. */
  case(row: ReportedCase): string {
    const line = lineOf("case", row);
    const digest = createHash("sha256").update(line).digest("base64");
    if (this.#said.get(row.id) === digest) return "";
    this.#said.set(row.id, digest);
    return line;
  }

  end({ cases, clauses, ambient, ...report }: Report): string {
    const footer = Object.entries(report).filter(([field]) => field === "target" || !isStart(field));
    const lines = { case: cases.map(({ id }) => id), clause: clauses.length, rule: ambient.length };
    return [
      ...cases.map((row) => this.case(row)),
      ...clauses.map((clause) => lineOf("clause", clause)),
      ...ambient.map((rule) => lineOf("rule", rule)),
      lineOf("footer", { ...Object.fromEntries(footer), lines }),
    ].join("");
  }
}

/** A whole report as lines. */
export function ndjsonReport(report: Report): string {
  const lines = new NdjsonLines();
  return lines.begin(report) + lines.end(report);
}

/** The report in these lines; a sentence if they are not a report. */
export function readNdjson(text: string): Report | string {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const values: Record<string, unknown>[] = [];
  for (const [index, line] of lines.entries()) {
    const reading = objectIn(line);
    if (typeof reading === "string")
      return `line ${index + 1}: ${reading}; the file was cut off or changed, or it is not an NDJSON report`;
    values.push(reading);
  }
  const [header, footer] = [values[0], values.at(-1)];
  if (header?.["line"] !== "header") return "the first line is not the header of a report";
  if (footer?.["line"] !== "footer")
    return `the footer is missing: the run did not end, or the file was cut off after line ${lines.length}`;
  const those = (kind: string): Record<string, unknown>[] =>
    values.filter(({ line }) => line === kind).map(({ line: _, ...value }) => value);
  const [clauses, ambient] = [those("clause"), those("rule")];
  const { case: order, clause, rule } = (footer["lines"] ?? {}) as Partial<Promised>;
  const last = new Map(those("case").map((row) => [row["id"], row]));
  const cases = (Array.isArray(order) ? order : []).flatMap((id) => last.get(id) ?? []);
  const found = { case: cases.length, clause: clauses.length, rule: ambient.length };
  for (const [kind, promised] of Object.entries({ case: order?.length, clause, rule })) {
    const count = found[kind as keyof Promised];
    if (count !== promised)
      return `the footer says ${String(promised)} lines "${kind}" and there are ${count}: lines are missing`;
  }
  const { line: _, ...start } = header;
  const { line: __, lines: ___, ...end } = footer;
  return { ...start, ...end, clauses, cases, ambient } as unknown as Report;
}

/** The footer's summary of the lines before it; cases by their ids, in the order of the suite. */
interface Promised {
  readonly case: readonly unknown[];
  readonly clause: number;
  readonly rule: number;
}

const isStart = (field: string): boolean => startFields.some((known) => known === field);

function lineOf(line: string, value: object): string {
  return `${jsonText({ line, ...value })}\n`;
}

function objectIn(line: string): Record<string, unknown> | string {
  const reading = singleReading(line);
  if (typeof reading === "string") return reading;
  const { value } = reading;
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : "it is not a JSON object";
}
