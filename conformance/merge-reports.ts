import { shorten } from "./check/describe.ts";
import { Redactor } from "./client/redact.ts";
import { readRegister } from "./load-suite.ts";
import { type ClauseRegister, claimedLevels } from "./model/clause.ts";
import type { ExpectationResult } from "./model/expected-failure.ts";
import type { RowOutcome } from "./model/outcome.ts";
import { UsageError } from "./model/position.ts";
import { isLoopback } from "./model/profile.ts";
import { judgeAgain } from "./report/judge-again.ts";
import { readReport } from "./report/read-report.ts";
import { buildReport, type Report, type ReportedCase } from "./report/report.ts";
import type { AmbientLine } from "./runner/judge/ambient-log.ts";
import { inAnotherShard } from "./runner/prepare/shard.ts";

const targetUnusable = 4;
const safetyStop = 5;

/** A report with its source, which a refusal names. */
export interface NamedReport {
  readonly file: string;
  readonly report: Report;
}

/** The shards have already redacted their reports, so no secret is left to search for. */
export interface MergedRun {
  readonly report: Report;
  readonly redactor: Redactor;
}

/** Merges the reports in these files, with the clause register of this kit. */
export async function mergeReportFiles(files: readonly string[]): Promise<MergedRun> {
  const { clauses, digest } = await readRegister();
  const reports: NamedReport[] = [];
  for (const file of files) reports.push({ file, report: await readShardReport(file) });
  return { report: mergeReports(reports, clauses, digest), redactor: new Redactor(new Map()) };
}

async function readShardReport(file: string): Promise<Report> {
  const report = await readReport(file);
  if (report.shard === undefined)
    throw new UsageError(
      `${file} is the report of a whole run: only those of conform --shard I/N can be merged`,
    );
  return report;
}

/**
 * Merges the shards of one run into one verdict. Cases are combined, and clauses and verdict are judged again over all
 * of them, so that the result equals that of a single run. Reports that do not belong together are refused, with the
 * differences. Requests and orders are added up, because each shard makes its own preflight and its own shared orders.
 */
export function mergeReports(
  given: readonly NamedReport[],
  register: ClauseRegister,
  digest: string,
): Report {
  const shards = given.toSorted((a, b) => (a.report.shard?.index ?? 0) - (b.report.shard?.index ?? 0));
  const first = shards[0];
  if (first === undefined) throw new UsageError("give the reports of all shards");
  for (const other of shards.slice(1)) assertSameRun(first, other);
  if (first.report.suite.register !== digest)
    throw new UsageError(
      `the reports were judged by another clause register than this kit has: merge with gatewright ${first.report.kit}`,
    );
  assertComplete(shards);
  const reports = shards.map(({ report }) => report);
  return judged(reports, first.report, register);
}

/** Each shard may run its own copy of the target on its machine, so the port is ignored there. */
function targetOf({ target }: Report): string {
  const { host, hostname } = new URL(target.baseUrl);
  return `${target.name} at ${isLoopback(hostname) ? "this machine" : host}`;
}

/** The values that must be equal in all shards of a run. */
const sameInAll: readonly (readonly [string, (report: Report) => string, string])[] = [
  ["kit version", ({ kit }) => kit, "run all shards with one version"],
  ["suite", ({ suite }) => suite.suite, "run all shards with the same scenario files"],
  ["level", ({ level }) => level, `give all shards the same --level (${claimedLevels.join(", ")})`],
  ["target", targetOf, "point all shards at one target"],
  ["seed", ({ seed }) => String(seed), "give all shards the same --seed"],
  ["number of shards", ({ shard }) => String(shard?.count), "split the run once"],
  ["selection", ({ cases }) => selectionOf(cases), "give all shards the same --only and --skip"],
];

function assertSameRun(one: NamedReport, other: NamedReport): void {
  for (const [what, of, advice] of sameInAll) {
    const [expected, found] = [of(one.report), of(other.report)];
    if (expected === found) continue;
    throw new UsageError(
      `the reports are of different runs: the ${what} of ${one.file} is ${shorten(expected, 120)}, that of ${other.file} is ${shorten(found, 120)}; ${advice}`,
    );
  }
}

/** All cases that the user or the level left out; they must be equal in every shard. */
function selectionOf(cases: readonly ReportedCase[]): string {
  const left = cases
    .filter(({ reason, outcome }) => outcome === "filtered" && reason !== inAnotherShard)
    .map(({ id }) => id);
  return left.length === 0 ? "everything" : `everything but ${left.join(" ")}`;
}

function assertComplete(shards: readonly NamedReport[]): void {
  const count = shards[0]?.report.shard?.count ?? 0;
  const indices = Array.from({ length: count }, (_, index) => index + 1);
  const filesOf = (index: number) =>
    shards.filter(({ report }) => report.shard?.index === index).map(({ file }) => file);
  const twice = indices.find((index) => filesOf(index).length > 1);
  if (twice !== undefined)
    throw new UsageError(
      `shard ${twice}/${count} is there twice: ${filesOf(twice).join(" and ")}; give each once`,
    );
  const missing = indices.filter((index) => filesOf(index).length === 0);
  if (missing.length > 0)
    throw new UsageError(
      `${missing.length} of ${count} shards are missing: run conform --shard ${missing.map((index) => `${index}/${count}`).join(", ")}`,
    );
}

function judged(reports: readonly Report[], first: Report, register: ClauseRegister): Report {
  const cases = joinedCases(reports);
  const ambient = joinedAmbient(reports);
  const exercised = [...new Set(reports.flatMap((report) => report.exercised))].toSorted();
  const rules = {
    ...first.rules,
    selection: reports.some((report) => report.rules.selection),
    interrupted: reports.some((report) => report.rules.interrupted),
  };
  const expectations = joinedExpectations(reports);
  const again = judgeAgain({ cases, ambient, exercised, rules, level: first.level }, register, {
    ...(expectations === undefined ? {} : { expectations }),
    safetyStop: reports.find(({ exitCode }) => exitCode === safetyStop)?.reason,
    unusable: reports.find(({ exitCode }) => exitCode === targetUnusable)?.reason,
  });
  const { shard: _shard, extra: _extra, expectations: _expectations, ...whole } = first;
  return buildReport({
    ...whole,
    redactor: new Redactor(new Map()),
    register,
    rules,
    exercised,
    ids: reports.flatMap(({ ids = [] }) => ids),
    startedAt: reports.map(({ startedAt }) => startedAt).toSorted()[0] ?? first.startedAt,
    durationMs: durationOf(reports),
    ...again,
    ambient,
    ...(expectations === undefined ? {} : { expectations }),
    leftovers: reports.flatMap(({ leftovers }) => leftovers),
    used: usedBy(reports),
  });
}

/** For each case the result of the shard that ran it. If several ran it (a property watches all traffic), the worst. */
function joinedCases(reports: readonly Report[]): ReportedCase[] {
  const joined = new Map<string, ReportedCase>();
  for (const one of reports.flatMap(({ cases }) => cases)) {
    const known = joined.get(one.id);
    if (known === undefined || rankOf(one) < rankOf(known)) joined.set(one.id, one);
  }
  return [...joined.values()];
}

const worstFirst: readonly RowOutcome[] = [
  "error",
  "failed",
  "warned",
  "blocked",
  "passed",
  "notApplicable",
  "filtered",
];

function rankOf({ outcome, reason }: ReportedCase): number {
  return reason === inAnotherShard ? worstFirst.length : worstFirst.indexOf(outcome);
}

/** One line per clause and place, as in a single run; the counts are added. */
function joinedAmbient(reports: readonly Report[]): AmbientLine[] {
  const lines = new Map<string, AmbientLine>();
  for (const line of reports.flatMap(({ ambient }) => ambient)) {
    const key = `${line.clause} ${line.pointer}`;
    const known = lines.get(key);
    lines.set(key, known === undefined ? line : joined(known, line));
  }
  return [...lines.values()];
}

function joined(known: AmbientLine, line: AmbientLine): AmbientLine {
  const cases = [...new Set([...(known.cases ?? []), ...(line.cases ?? [])])];
  const { after, ...rest } = known;
  const same = after !== undefined && after === line.after ? { after } : {};
  return { ...rest, ...same, count: known.count + line.count, cases };
}

/** Another shard ran the cases that a shard did not run: each entry gets the most informative status. */
function joinedExpectations(reports: readonly Report[]): ExpectationResult[] | undefined {
  const lists = reports.flatMap(({ expectations }) => (expectations === undefined ? [] : [expectations]));
  if (lists.length === 0) return undefined;
  const entries = new Map<string, ExpectationResult>();
  for (const entry of lists.flat()) {
    const known = entries.get(entry.place);
    if (known === undefined || weightOf(entry) < weightOf(known)) entries.set(entry.place, entry);
  }
  return [...entries.values()];
}

/** A clause that failed as expected in one shard may pass in all others; that is no xpass. */
const sayingMost = ["changed", "expired", "tooOften", "matched", "xpass", "stale", "quiet", "notRun"];

function weightOf({ status }: ExpectationResult): number {
  return sayingMost.indexOf(status);
}

function usedBy(reports: readonly Report[]): { requests: number; orders: number } {
  const sum = (of: (report: Report) => number): number =>
    reports.reduce((total, report) => total + of(report), 0);
  return { requests: sum(({ summary }) => summary.requests), orders: sum(({ summary }) => summary.orders) };
}

/** From the earliest start to the latest end of all shards. */
function durationOf(reports: readonly Report[]): number {
  const starts = reports.map(({ startedAt }) => Date.parse(startedAt));
  const ends = reports.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  return Math.max(...ends) - Math.min(...starts);
}
