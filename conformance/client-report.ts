/**
 * The report of an exam: of a client, where all others are of a gateway. The rules of the exam take the place of the
 * clauses; verdict, exit code and files come from them in the same way.
 */

import { digestOf } from "./certificate/certificate.ts";
import { Redactor } from "./client/redact.ts";
import { type ClauseLevel, ClauseRegister } from "./model/clause.ts";
import type { RowResult } from "./model/outcome.ts";
import { UsageError } from "./model/position.ts";
import { kitVersion } from "./package-root.ts";
import { rowOf } from "./report/judge-again.ts";
import { reportFrom } from "./report/read-report.ts";
import { buildReport, type Report } from "./report/report.ts";
import { type Reached, reachVerdict } from "./verdict.ts";

export interface ExamRule {
  readonly id: string;
  readonly level: Extract<ClauseLevel, "required" | "recommended">;
  readonly basis: "money" | "twice" | "credential" | "stated";
  readonly statement: string;
}

export interface ExamResults {
  /** The name of the client, or its command. */
  readonly client: string;
  /** The command of the exam, without what selects a situation. */
  readonly command: string;
  readonly tasks: readonly string[];
  readonly seed: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly rules: readonly ExamRule[];
  readonly rows: readonly RowResult[];
  readonly used: { readonly requests: number; readonly orders: number };
  readonly environment: Readonly<Record<string, string>>;
  readonly interrupted: boolean | "SIGINT" | "SIGTERM";
}

export interface ReportedExam {
  readonly report: Report;
  readonly redactor: Redactor;
}

const level = "core";

export function reportExam(exam: ExamResults): ReportedExam {
  const { rows, rules, startedAt } = exam;
  const register = registerOf(rules);
  const reached = verdictOn(exam, register);
  const redactor = new Redactor(new Map());
  const report = buildReport({
    subject: "client",
    kit: kitVersion(),
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Date.now() - startedAt,
    target: { name: exam.client, baseUrl: "", notes: notesOf(exam) },
    environment: exam.environment,
    command: exam.command,
    level,
    seed: exam.seed,
    suite: examDigests(rules, rows),
    rules: { ...policyOf(exam), adopted: [], interrupted: exam.interrupted !== false },
    exercised: [],
    ambient: [],
    leftovers: [],
    presence: { capabilities: {}, operations: {}, credentials: {}, assumptions: {} },
    clauses: reached.clauses,
    rows: reached.rows,
    judgement: reached.judgement,
    used: exam.used,
    register,
    redactor,
  });
  return { report, redactor };
}

/** The row of a situation, with what it used, in the report of an exam that was asked for it alone. */
export function situationIn(text: string, id: string) {
  const { subject, cases, summary } = reportFrom(text, `the report of ${id}`);
  const found = cases.find((one) => one.id === id);
  if (subject !== "client" || found === undefined)
    throw new UsageError(`the report of ${id} is not that of an exam with this situation`);
  return { row: rowOf(found), used: summary };
}

/** The tasks and situations that it was asked for. */
function notesOf({ tasks, rows }: ExamResults): Readonly<Record<string, string>> {
  const run = rows.filter(({ outcome }) => outcome !== "filtered" && outcome !== "notApplicable");
  return { tasks: tasks.join(", "), situations: `${run.length} of ${rows.length}` };
}

/** Rules as clauses. */
export const registerOf = (rules: readonly ExamRule[]): ClauseRegister =>
  new ClauseRegister(rules.map((rule) => ({ ...rule, aliasOf: [], certificate: level, needs: [] })));

interface Named {
  readonly id: string;
  readonly title: string;
}

/** The fields that tell one exam from another. */
export const examDigests = (rules: readonly ExamRule[], situations: readonly Named[]): Report["suite"] => ({
  suite: digestOf(JSON.stringify(situations.map(({ id, title }) => [id, title]))),
  register: digestOf(
    JSON.stringify(rules.map(({ id, level: weight, statement }) => [id, weight, statement])),
  ),
});

const policyOf = ({ rows }: ExamResults) =>
  ({
    selection: rows.some(({ outcome }) => outcome === "filtered"),
    failOnWarnings: false,
    failOnExtra: false,
    gate: "conformance",
  }) as const;

function verdictOn(exam: ExamResults, register: ClauseRegister): Reached {
  const evidence = { rows: exam.rows, ambient: [], exercised: new Set<string>() };
  return reachVerdict(evidence, {
    ...policyOf(exam),
    level,
    register,
    interrupted: exam.interrupted,
    adopted: new Set(),
    expected: undefined,
    today: new Date(exam.startedAt).toISOString().slice(0, 10),
  });
}
