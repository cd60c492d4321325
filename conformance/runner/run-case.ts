import type { Finding } from "../model/finding.ts";
import {
  Blocked,
  NotApplicable,
  NotSupplied,
  type RowOutcome,
  type RowResult,
  SafetyStop,
} from "../model/outcome.ts";
import { placeOf } from "../model/position.ts";
import { printable } from "../model/printable.ts";
import type { CaseRow } from "../model/scenario.ts";
import { effortOfCase } from "../plan/effort.ts";
import { CaseRun, type RunMeans } from "./case-run.ts";
import type { Market } from "./prepare/market.ts";
import { Scope } from "./prepare/scope.ts";
import { suppliedNothing, whyNotRun } from "./prepare/why-not-run.ts";
import { runSteps } from "./run-step.ts";
import { senderOf } from "./send/sender.ts";
import type { Session } from "./session.ts";

/** Runs one row from its requirements to its clean-up. The only error that it throws is a safety stop. */
export async function runCase(
  row: CaseRow,
  session: Session,
  market: Market,
  means: RunMeans = {},
): Promise<RowResult> {
  const startedAt = performance.now();
  const finish = (
    outcome: RowOutcome,
    findings: readonly Finding[],
    observations: Record<string, string>,
    reason?: string,
  ): RowResult => ({
    id: row.id,
    title: row.scenario.title,
    outcome,
    clauses: row.spec,
    findings,
    observations,
    ...(reason === undefined ? {} : { reason }),
    durationMs: Math.round(performance.now() - startedAt),
    place: placeOf(row.scenario.position),
  });
  const notRun = whyNotRun(row, session, market);
  if (notRun !== undefined)
    return { ...finish(notRun.outcome, [], {}, notRun.reason), ...suppliedNothing(notRun) };
  const run = new CaseRun(senderOf(row, session, market), row, means);
  const scope = new Scope(row.scenario.vars, row.row);
  const { broken, reason, supply } = await perform(row, run, scope, session);
  const meeting = meetingOfOurs(row, run, session);
  const cleanupProblem = await cleanUp(row, run, scope, session);
  const judge = (): RowOutcome =>
    broken === undefined || run.findings.some(isFailure) ? judgedOutcome(run.findings) : broken;
  run.chargeTrace();
  const trace = run.trace.finish(judge() === "passed");
  run.chargeTrace();
  const judged = judge();
  const why = [meeting, reason, silenceOf(judged, run), cleanupProblem].find((one) => one !== undefined);
  const supplied = judged === "blocked" ? supply : {};
  return { ...finish(judged, run.findings, run.observations, why), ...supplied, trace };
}

/** How the steps ended, if not at their end. */
interface Ending {
  readonly broken?: RowOutcome;
  readonly reason?: string;
  readonly supply: Pick<RowResult, "notSupplied">;
}

async function perform(row: CaseRow, run: CaseRun, scope: Scope, session: Session): Promise<Ending> {
  try {
    if (session.reading.repeats && readsOrders(row, session)) await session.reading.begin(run);
    const ready = await runSteps(row.scenario.setup, run, scope);
    if (ready) await runSteps(row.scenario.steps, run, scope);
    return { supply: {} };
  } catch (error) {
    const { outcome: broken, reason } = outcomeOf(error);
    return { broken, reason, supply: error instanceof NotSupplied ? { notSupplied: true } : {} };
  }
}

/**
 * An order that another case could not cancel may have traded with one of this case: what was seen then convicts nobody. Returns the
 * reason.
 */
function meetingOfOurs(row: CaseRow, { findings }: CaseRun, { ledger }: Session): string | undefined {
  const met = findings.some(isFailure) ? ledger.metBy(row.id) : [];
  if (met.length === 0) return undefined;
  for (const [index, finding] of findings.entries())
    if (isFailure(finding)) findings[index] = { ...finding, severity: "info", indeterminate: true };
  const named = met.slice(0, 3).map(({ id, caseId }) => `${printable(id)} of ${caseId}`);
  const more = met.length > named.length ? `, and ${met.length - named.length} more` : "";
  return `this case may have traded with orders of ours that another case could not cancel: ${named.join(", ")}${more}; cancel them (gatewright cleanup) and run it again`;
}

function silenceOf(judged: RowOutcome, run: CaseRun): string | undefined {
  const open = judged === "blocked" ? run.findings.find(isOpen) : undefined;
  return open === undefined ? undefined : `no answer in time to ${open.request ?? open.step}`;
}

const readsOrders = (row: CaseRow, { parts }: Session): boolean =>
  effortOfCase(row, parts.fragments).readsOrders;

/**
 * The clean-up always runs, each part even after a failure of the previous one, and never changes the outcome, because
 * the case is already judged. Faults are removed first, so that they cannot prevent the cancels.
 */
async function cleanUp(
  row: CaseRow,
  run: CaseRun,
  scope: Scope,
  session: Session,
): Promise<string | undefined> {
  const judgedUpTo = run.findings.length;
  const errors: Error[] = [];
  const parts = [
    () => runSteps(row.scenario.cleanup, run, scope),
    async () => run.releaseStreams(),
    () => removeFaults(row, session),
    // An order that can still trade could meet the next case that trades.
    () => session.cleanUp(row.id, row.scenario.safety === "trades"),
  ];
  for (const part of parts) await part().catch((error: Error) => errors.push(error));
  run.findings.length = judgedUpTo;
  const stop = errors.find((error) => error instanceof SafetyStop);
  if (stop !== undefined) throw stop;
  return errors.length === 0 ? undefined : `cleanup: ${errors.map(({ message }) => message).join("; ")}`;
}

/** The next case must not meet the faults of this one: if they cannot be removed, no further case begins. */
async function removeFaults(row: CaseRow, session: Session): Promise<void> {
  if (!session.faulty) return;
  try {
    await session.control().clearFaults();
    session.faulty = false;
  } catch (error) {
    session.spoiled = `the fault that ${row.id} injected could not be removed: ${(error as Error).message}`;
  }
}

function outcomeOf(error: unknown): { outcome: RowOutcome; reason: string } {
  if (error instanceof SafetyStop) throw error;
  if (error instanceof Blocked) return { outcome: "blocked", reason: error.message };
  if (error instanceof NotApplicable) return { outcome: "notApplicable", reason: error.message };
  return {
    outcome: "error",
    reason: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

const isFailure = (finding: Finding): boolean => finding.severity === "fail";

const isOpen = ({ indeterminate, strength }: Finding): boolean =>
  indeterminate === true && strength !== "observe";

function judgedOutcome(findings: readonly Finding[]): RowOutcome {
  if (findings.some(isFailure)) return "failed";
  if (findings.some(isOpen)) return "blocked";
  return findings.some((finding) => finding.severity === "warn") ? "warned" : "passed";
}
