import { randomUUID } from "node:crypto";
import { Egress } from "./client/egress.ts";
import { LedgerFile } from "./client/ledger-file.ts";
import { OrderLedger } from "./client/order-ledger.ts";
import type { Redactor } from "./client/redact.ts";
import { Target } from "./client/target.ts";
import { exitCodes } from "./exit-codes.ts";
import { draftFrom } from "./expectations/draft-expectations.ts";
import type { ClaimedLevel, ClauseRegister } from "./model/clause.ts";
import { counted } from "./model/counted.ts";
import type { Exchange } from "./model/exchange.ts";
import { type RowResult, TargetUnusable } from "./model/outcome.ts";
import { isOurs, type Profile } from "./model/profile.ts";
import type { CaseRow } from "./model/scenario.ts";
import { kitVersion } from "./package-root.ts";
import { readDialects } from "./parse/mistakes.ts";
import { type Phases, runPhases } from "./phases.ts";
import type { PropertyOptions } from "./property-phase.ts";
import type { RunStart } from "./report/live-ndjson.ts";
import { buildReport, type Report, type ReportStart } from "./report/report.ts";
import { type InputOptions, type RunInput, readInput } from "./run-input.ts";
import { inOrderOfSuite, unrun } from "./run-rows.ts";
import { redactorFor, startOf } from "./run-start.ts";
import type { ConvictionGoal } from "./runner/judge/conviction-stop.ts";
import type { Gate, Judgement } from "./runner/judge/judge.ts";
import { HeldFunds } from "./runner/prepare/held-funds.ts";
import { preflight } from "./runner/prepare/preflight.ts";
import { presenceOf } from "./runner/prepare/presence.ts";
import { inAnotherShard, partOf, type Shard } from "./runner/prepare/shard.ts";
import type { CleanUpResult } from "./runner/send/cancel-left.ts";
import { Session } from "./runner/session.ts";
import { adoptedClauses, reachVerdict } from "./verdict.ts";

export interface ConformOptions extends InputOptions, PropertyOptions {
  /**
   * The run ends when these clauses are convicted, and the cases that cite them come first. An early end is no verdict
   * on the rest: it counts as interrupted.
   */
  readonly stopAtConviction?: ConvictionGoal;
  /** The run ends at its first failure. */
  readonly bail?: boolean;
  readonly failOnWarnings?: boolean;
  /** A failed case of user-defined clauses (X-) counts for the exit code, too. */
  readonly failOnExtra?: boolean;
  /** The condition of a green exit: conformance, or no new failure. */
  readonly gate?: Gate;
  /** A file that records every order before it is sent; `gatewright cleanup` reads it after a crash. */
  readonly ledger?: string;
  /** The command of this run; reports show it, with options that repeat a single case. */
  readonly command?: string;
  /** Called before the first request, when all inputs have been checked. */
  readonly onStart?: (run: RunStart) => void;
  /** Called at the end of each row, to show progress. */
  readonly onRow?: (row: RowResult) => void;
  /** Called with every unredacted exchange; a caller that prints it must hide the secrets. */
  readonly onExchange?: (exchange: Exchange) => void;
  /** Called with each difference that the rules for every answer find. */
  readonly onAmbient?: (clause: string, pointer: string, exchange: Exchange) => void;
  readonly signal?: AbortSignal;
}

/** The result of a run: the report, and the data that its writers need to redact secrets and to sign statements. */
export interface ConformRun {
  readonly report: Report;
  readonly redactor: Redactor;
  readonly register: ClauseRegister;
  /** An expectation file for the failures, whose reasons the user must fill in. */
  readonly draftExpectations: () => string;
}

/** Runs the suite against a target. Bad input throws UsageError before anything is sent. */
export async function conform(options: ConformOptions): Promise<Report> {
  return (await runConformance(options)).report;
}

export async function runConformance(options: ConformOptions): Promise<ConformRun> {
  return runSelected(options, await readInput(options));
}

async function runSelected(options: ConformOptions, input: RunInput): Promise<ConformRun> {
  const { profile, suite, selected, seed, level } = input;
  const started = Date.now();
  const redactor = redactorFor(profile);
  const start = startOf(options, input, started);
  const salt = randomUUID();
  const ledger = await ledgerOf(options, profile, salt);
  const egress = new Egress(profile, ledger, options.signal);
  await using target = new Target(egress, `gatewright/${kitVersion()} (conformance run ${salt})`);
  const session = new Session({
    profile,
    target,
    redactor,
    egress,
    clauses: suite.clauses,
    fragments: suite.fragments,
    seed,
    salt,
    now: Date.now,
    nonce: randomUUID,
  });
  if (options.onExchange !== undefined) session.observers.add(options.onExchange);
  session.ambient.onFound = options.onAmbient;
  options.onStart?.({ start, redactor });
  const ran = await runAndCleanUp(selected.rows, session, { ...options, seed, level }).catch(
    (error: unknown) => unusable(error, selected.rows),
  );
  const run = reported(ran, { options, input, start, started, redactor, session, egress, ledger });
  if (ran.unusable !== undefined) throw new UnusableRun(ran.unusable, run);
  return run;
}

/** A finished run, with the data for its report. */
interface Ended {
  readonly options: ConformOptions;
  readonly input: RunInput;
  readonly start: ReportStart;
  readonly started: number;
  readonly redactor: Redactor;
  readonly session: Session;
  readonly egress: Egress;
  readonly ledger: OrderLedger;
}

function reported(ran: Ran, run: Ended): ConformRun {
  const { options, start, started, redactor, session, egress } = run;
  const { suite, expected, level, profile } = run.input;
  const { shard, signal } = options;
  const undone = undoneRows(ran, run);
  const rows = rowsInOrder(ran, undone, run.input);
  const rules = rulesOf(run);
  const interrupted = undone.length > 0 || signal?.aborted === true || ran.ended !== undefined;
  const leftovers = run.ledger.open();
  const { exercised, lines } = session.ambient;
  const { stated } = session.promises;
  const evidence = { rows, ambient: lines, exercised, promised: new Set(stated.keys()), ids: session.ids };
  const today = new Date(started).toISOString().slice(0, 10);
  const reached = reachVerdict(evidence, {
    ...rules,
    level,
    register: suite.clauses,
    selection: rules.selection || shard !== undefined,
    part: shard !== undefined,
    interrupted: interrupted && endOf(signal),
    safetyStop: stopFor(leftovers.length, ran.cleanedUp, profile),
    unusable: ran.unusable,
    expected,
    today,
  });
  const { expectations, ...shown } = reached;
  const adopted = [...rules.adopted].toSorted();
  const report = buildReport({
    register: suite.clauses,
    redactor,
    ...start,
    durationMs: Date.now() - started,
    target: { ...start.target, notes: { ...ran.notes, ...retriesOf(session) } },
    ...shown,
    judgement: ofPart(reached.judgement, shard, ran.ended),
    ...(expectations === undefined ? {} : { expectations }),
    presence: presenceOf(session),
    leftovers,
    used: egress.used,
    rules: { ...rules, adopted, promises: Object.fromEntries(stated), interrupted },
    exercised: [...exercised].toSorted(),
  });
  const draft = (): string => redactor.redact(draftFrom(reached, expected ?? [], today));
  return { report, redactor, register: suite.clauses, draftExpectations: draft };
}

function undoneRows(ran: Ran, { input, session }: Ended): RowResult[] {
  const done = new Set(ran.rows.map((row) => row.id));
  return input.selected.rows
    .filter((row) => !done.has(row.id))
    .map((row) => unrun(row, session.spoiled ?? ran.ended ?? "the run was interrupted"));
}

const rowsInOrder = (ran: Ran, undone: readonly RowResult[], { suite, selected, level }: RunInput) =>
  inOrderOfSuite(suite.scenarios, [
    ...ran.rows,
    ...undone,
    ...selected.filtered.map((row) => unrun(row, "not selected")),
    ...selected.beyondLevel.map((row) => unrun(row, `not part of level ${level}`)),
    ...selected.elsewhere.map((row) => unrun(row, inAnotherShard)),
  ]).concat(ran.properties);

const rulesOf = ({ options, input: { selected, suite }, session }: Ended) => ({
  selection: selected.filtered.length > 0,
  ...((options.scenarios ?? []).length > 0 ? { ownScenarios: true } : {}),
  failOnWarnings: options.failOnWarnings === true,
  failOnExtra: options.failOnExtra === true,
  gate: options.gate ?? "conformance",
  adopted: adoptedClauses(suite.scenarios, session),
});

/** The target could not be judged (exit 4). The error has a report, for readers of files instead of logs. */
export class UnusableRun extends TargetUnusable {
  readonly run: ConformRun;

  constructor(reason: string, run: ConformRun) {
    super(reason);
    this.run = run;
  }
}

/** A failed preflight has a report, too, in which every row is blocked. */
function unusable(error: unknown, selected: readonly CaseRow[]): Ran {
  if (!(error instanceof TargetUnusable)) throw error;
  const reason = error.message.split("\n")[0] ?? "";
  const rows = selected.map((row) => ({ ...unrun(row, reason), outcome: "blocked" as const }));
  return {
    rows,
    properties: [],
    notes: {},
    cleanedUp: { cancelled: [], gone: [], neverSeen: [], left: [] },
    unusable: error.message,
  };
}

interface Ran extends Phases {
  readonly notes: Readonly<Record<string, string>>;
  readonly cleanedUp: CleanUpResult;
  readonly unusable?: string;
}

/** How an incomplete run was stopped; the reason of the abort names the signal. */
function endOf(signal: AbortSignal | undefined): true | "SIGINT" | "SIGTERM" {
  const reason: unknown = signal?.reason;
  return reason === "SIGINT" || reason === "SIGTERM" ? reason : true;
}

/** However the cases end, their orders are cancelled before the result is returned. */
async function runAndCleanUp(
  selected: readonly CaseRow[],
  session: Session,
  options: ConformOptions & { readonly seed: number; readonly level: ClaimedLevel },
): Promise<Ran> {
  try {
    const { market, notes } = await preflight(session, readDialects);
    const funds = new HeldFunds(session);
    if (options.level === "full") await funds.note();
    const ran = await runPhases(selected, session, market, options);
    const cleanedUp = await session.cleanUp();
    if (ran.ended === undefined && options.signal?.aborted !== true) await funds.judge(cleanedUp);
    return { ...ran, notes, cleanedUp };
  } catch (error) {
    // The first error is reported; orders that could not be cancelled stay in the ledger.
    await session.cleanUp().catch(() => undefined);
    throw error;
  } finally {
    session.ledger.end();
  }
}

/**
 * The ledger is on the disk before anything is sent, so that a later command can clean up after a killed run
 * (docs/live-safety.md).
 */
async function ledgerOf(options: ConformOptions, profile: Profile, run: string): Promise<OrderLedger> {
  if (options.ledger === undefined) return new OrderLedger();
  const { name, baseUrl } = profile;
  const header = {
    run,
    startedAt: new Date().toISOString(),
    target: name,
    baseUrl: baseUrl.href,
    pid: process.pid,
  };
  return new OrderLedger(await LedgerFile.create(options.ledger, header, !isOurs(profile)));
}

/**
 * The requests that were sent again. They are listed, because a busy target explains a slow run.
 */
function retriesOf({ retries }: Session): Record<string, string> {
  if (retries.length === 0) return {};
  const shown = retries
    .slice(0, 5)
    .map(({ request, status, pauseMs }) => `${status} ${request} (${pauseMs} ms)`);
  return { askedAgain: `${retries.length} times, ${shown.join("; ")}${retries.length > 5 ? "; …" : ""}` };
}

/** Exit 5, whatever the verdict: orders could not be cancelled, or more orders rest than the profile allows. */
function stopFor(
  count: number,
  cleanedUp: CleanUpResult,
  { safety, operations }: Profile,
): string | undefined {
  const failed = typeof operations["cancelOrder"] === "object" ? cleanedUp.left : [];
  if (failed.length > 0)
    return `${counted(failed.length, "order")} could not be cancelled: ${failed[0]?.reason ?? ""}`;
  if (count <= safety.leftovers) return undefined;
  return `${counted(count, "order is", "orders are")} left open; the profile allows ${safety.leftovers}`;
}

/** A shard without violations is incomplete because it is a shard; a run that ended early keeps that reason. */
function ofPart(judgement: Judgement, shard: Shard | undefined, ended: string | undefined): Judgement {
  if (ended !== undefined) return { ...judgement, reason: `${judgement.reason}; ${ended}` };
  return shard !== undefined && judgement.exitCode === exitCodes.incomplete
    ? { ...judgement, reason: partOf(shard) }
    : judgement;
}
