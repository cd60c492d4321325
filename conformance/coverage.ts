import { everyReplyClauses } from "./check/ambient.ts";
import { readSuite } from "./load-suite.ts";
import type { Clause } from "./model/clause.ts";
import { UsageError } from "./model/position.ts";
import { rowsOf } from "./model/scenario.ts";

/**
 * The cases and properties that test each clause, from the files alone. Aliases are left out, because they are judged
 * with the clauses that they repeat. A hole is a required or recommended clause without a test; assumed and
 * informational clauses may be open, and untestable ones are marked in the register.
 */
export interface ClauseCoverage {
  readonly id: string;
  readonly level: Clause["level"];
  readonly certificate: Clause["certificate"];
  readonly statement: string;
  readonly cases: readonly string[];
  /** Checked on every reply that shows it. */
  readonly everyReply: boolean;
  readonly properties: readonly string[];
  readonly status: "covered" | "untestable" | "open" | "hole";
}

export interface Coverage {
  readonly clauses: readonly ClauseCoverage[];
  readonly holes: readonly ClauseCoverage[];
}

/** Property ids by the clauses that they cite. */
export type PropertyIndex = ReadonlyMap<string, readonly string[]>;

export async function coverageOf(places: readonly string[], given?: PropertyIndex): Promise<Coverage> {
  const properties = given ?? (await propertyIndex());
  const { suite, problems } = await readSuite(places);
  if (problems.length > 0) throw new UsageError("the scenarios are not valid", problems);
  const rows = suite.scenarios.flatMap(rowsOf);
  const clauses = suite.clauses.distinct().map((clause): ClauseCoverage => {
    const { id, level, certificate, statement } = clause;
    const found = {
      cases: rows.filter((row) => row.spec.includes(id)).map((row) => row.id),
      everyReply: everyReplyClauses.has(id),
      properties: properties.get(id) ?? [],
    };
    return { id, level, certificate, statement, ...found, status: statusOf(clause, found) };
  });
  return { clauses, holes: clauses.filter(({ status }) => status === "hole") };
}

async function propertyIndex(): Promise<PropertyIndex> {
  const { allProperties } = await import("./properties/all-properties.ts");
  const index = new Map<string, string[]>();
  for (const { id, spec } of allProperties)
    for (const clause of spec) index.set(clause, [...(index.get(clause) ?? []), id]);
  return index;
}

type Found = Pick<ClauseCoverage, "cases" | "everyReply" | "properties">;

function statusOf({ level }: Clause, found: Found): ClauseCoverage["status"] {
  if (level === "untestable") return "untestable";
  if (found.cases.length > 0 || found.everyReply || found.properties.length > 0) return "covered";
  return level === "required" || level === "recommended" ? "hole" : "open";
}

/** One line per clause for a terminal, and the count of each status. */
export function coverageText({ clauses, holes }: Coverage): string {
  const lines = clauses.map(
    (clause) =>
      `${clause.id.padEnd(8)}${clause.level.padEnd(15)}${clause.status.padEnd(15)}${triedBy(clause)}`,
  );
  return `${[...lines, "", countsOf(clauses), ...holes.map(holeLine), ""].join("\n")}`;
}

export function coverageMarkdown({ clauses, holes }: Coverage): string {
  const rows = clauses.map(
    (clause) =>
      `| ${clause.id} | ${clause.level} | ${clause.certificate} | ${cell(clause.statement)} | ${clause.status} | ${cell(triedBy(clause))} |`,
  );
  return [
    "# Clauses and their tests",
    "",
    countsOf(clauses),
    ...holes.map((hole) => `- ${holeLine(hole)}`),
    "",
    "| Clause | Level | Certificate | It says | Status | Tried by |",
    "|---|---|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}

const shownCases = 3;

function triedBy({ cases, everyReply, properties }: ClauseCoverage): string {
  const scenarios = [...new Set(cases.map((id) => id.replace(/\[.*$/s, "")))];
  const more = scenarios.length > shownCases ? [`${scenarios.length - shownCases} more`] : [];
  const parts = [
    ...scenarios.slice(0, shownCases),
    ...more,
    ...(everyReply ? ["every reply"] : []),
    ...properties,
  ];
  return parts.join(", ");
}

function countsOf(clauses: readonly ClauseCoverage[]): string {
  const counts = new Map<string, number>();
  for (const { status } of clauses) counts.set(status, (counts.get(status) ?? 0) + 1);
  const parts = [...counts].map(([status, count]) => `${count} ${status}`);
  return `${clauses.length} clauses: ${parts.join(", ")}`;
}

function holeLine({ id, level, statement }: ClauseCoverage): string {
  return `gap: there is no test of ${id} (${level}): ${statement}`;
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
