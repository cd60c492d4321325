import { randomInt, randomUUID } from "node:crypto";
import { Spending } from "./client/budget.ts";
import { assertHostAllowed } from "./client/host-guard.ts";
import { Redactor } from "./client/redact.ts";
import { Target } from "./client/target.ts";
import { readProfile, readSuite, type Suite } from "./load-suite.ts";
import type { ClaimedLevel, ClauseRegister } from "./model/clause.ts";
import { type RowResult } from "./model/outcome.ts";
import { placeOf, UsageError } from "./model/position.ts";
import type { Profile } from "./model/profile.ts";
import type { CaseRow } from "./model/scenario.ts";
import { kitVersion } from "./package-root.ts";
import { type Environment, plainProfile } from "./parse/profile.ts";
import { buildReport, type Report } from "./report/report.ts";
import { judgeClauses, judgeRun } from "./runner/judge.ts";
import { preflight } from "./runner/preflight.ts";
import { runCase } from "./runner/run-case.ts";
import { type Selected, select } from "./runner/select.ts";
import { Session } from "./runner/session.ts";

/** Either a profile file, or the address and credential of a target on this machine. */
export interface ConformOptions {
  readonly profile?: string;
  readonly target?: string;
  readonly keyId?: string;
  readonly secret?: string;
  readonly scenarios?: readonly string[];
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly level?: ClaimedLevel;
  readonly seed?: number;
  readonly failOnWarnings?: boolean;
  readonly environment?: Environment;
  /** Called when a row is done, for people who wait. */
  readonly onRow?: (row: RowResult) => void;
  readonly signal?: AbortSignal;
}

/** What a run leaves: the report, and what its writers need to leave secrets out and statements in. */
export interface ConformRun {
  readonly report: Report;
  readonly redactor: Redactor;
  readonly register: ClauseRegister;
}

/** Runs the suite against a target. Bad input throws UsageError before anything is sent. */
export async function conform(options: ConformOptions): Promise<Report> {
  return (await runConformance(options)).report;
}

export async function runConformance(options: ConformOptions): Promise<ConformRun> {
  const profile = await profileOf(options);
  assertHostAllowed(profile);
  const { suite, problems } = await readSuite(options.scenarios ?? []);
  if (problems.length > 0) throw new UsageError("the scenarios are not valid", problems);
  const seed = options.seed ?? randomInt(1, 2 ** 31);
  const level = options.level ?? "core";
  const selected = select(
    suite.scenarios,
    { only: options.only ?? [], skip: options.skip ?? [], level },
    suite.clauses,
    seed,
  );
  return runSelected(options, profile, suite, selected, seed, level);
}

async function profileOf(options: ConformOptions): Promise<Profile> {
  const environment = options.environment ?? process.env;
  if (options.profile !== undefined) return readProfile(options.profile, environment);
  const { target, keyId, secret } = options;
  if (target === undefined || keyId === undefined || secret === undefined) {
    throw new UsageError("give a profile, or a target with key id and secret");
  }
  const profile = plainProfile(target, keyId, secret);
  if (typeof profile === "string") throw new UsageError(profile);
  return profile;
}

async function runSelected(
  options: ConformOptions,
  profile: Profile,
  suite: Suite,
  selected: Selected,
  seed: number,
  level: ClaimedLevel,
): Promise<ConformRun> {
  const started = Date.now();
  const secrets = Object.values(profile.credentials).map(
    ({ role, secret }) => [`${role}.secret`, secret] as const,
  );
  const token = profile.control?.token;
  const redactor = new Redactor(
    new Map([...secrets, ...(token === undefined ? [] : [["control.token", token] as const])]),
  );
  await using target = new Target(profile, () => undefined);
  const session = new Session({
    profile,
    target,
    redactor,
    spending: new Spending(profile.safety.budget),
    clauses: suite.clauses,
    fragments: suite.fragments,
    seed,
    salt: randomUUID(),
    now: Date.now,
    nonce: randomUUID,
  });
  const { market, notes } = await preflight(session);
  const rows: RowResult[] = [];
  for (const row of selected.rows) {
    if (options.signal?.aborted === true) break;
    const result = await runCase(row, session, market);
    rows.push(result);
    options.onRow?.(result);
  }
  await session.cleanUp(0);
  const done = new Set(rows.map((row) => row.id));
  const undone = selected.rows
    .filter((row) => !done.has(row.id))
    .map((row) => unrun(row, "the run was interrupted"));
  const all = [
    ...rows,
    ...undone,
    ...selected.filtered.map((row) => unrun(row, "not selected")),
    ...selected.beyondLevel.map((row) => unrun(row, `not part of level ${level}`)),
  ];
  const clauses = judgeClauses(suite.clauses, {
    rows: all,
    ambient: session.ambient.lines,
    exercised: session.ambient.exercised,
  });
  const judgement = judgeRun(clauses, all, {
    level,
    register: suite.clauses,
    selection: selected.filtered.length > 0,
    failOnWarnings: options.failOnWarnings === true,
    interrupted: undone.length > 0,
  });
  const leftovers = session.ledger.since(0);
  const stop =
    leftovers.length > profile.safety.leftovers
      ? {
          ...judgement,
          exitCode: 5,
          reason: `${leftovers.length} orders are left open; the profile allows ${profile.safety.leftovers}`,
        }
      : judgement;
  const report = buildReport({
    kit: kitVersion(),
    startedAt: new Date(started).toISOString(),
    durationMs: Date.now() - started,
    level,
    seed,
    target: { name: profile.name, baseUrl: profile.baseUrl.href, notes },
    clauses,
    rows: all,
    judgement: stop,
    ambient: session.ambient.lines,
    leftovers,
    used: session.parts.spending.used,
  });
  return { report, redactor, register: suite.clauses };
}

function unrun(row: CaseRow, reason: string): RowResult {
  return {
    id: row.id,
    title: row.scenario.title,
    outcome: "filtered",
    clauses: row.spec,
    findings: [],
    observations: {},
    reason,
    durationMs: 0,
    place: placeOf(row.scenario.position),
  };
}
