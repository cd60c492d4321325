/** The exam: every situation once, some at a time, each judged by all rules that it gives something to judge. */
import process from "node:process";
import * as kit from "../../conformance/commands.ts";
import { situations } from "./all-situations.ts";
import type { Evidence } from "./evidence.ts";
import { rules } from "./rules/all-rules.ts";
import { type Examinee, runSituation } from "./run-situation.ts";
import type { Situation, TaskName } from "./situation.ts";
import { stepOf, traceOf } from "./trace.ts";
import { tryToStart } from "./try-to-start.ts";
import { tooSlow, wasInterrupted, whyNotShown, whyUnjudged } from "./unjudged.ts";

type Exam = Awaited<ReturnType<(typeof kit)["reportExam"]>>;
type Row = Parameters<(typeof kit)["reportExam"]>[0]["rows"][number];

export interface ExamOptions extends Examinee {
  readonly tasks: readonly TaskName[];
  /** Ids of the situations that are run; all are run when there are none. */
  readonly only: readonly string[];
  /** How many situations are run at once. */
  readonly jobs: number;
  readonly again: string;
  /** Of the client, in the report; its command when absent. */
  readonly name?: string | undefined;
  readonly onRow?: (row: Row) => void;
  /** Runs them on other machines. */
  readonly elsewhere?: Turns | undefined;
}

/** What came of a situation. */
interface Sat {
  readonly row: Row;
  readonly used: { readonly requests: number; readonly orders: number };
}

type Done = (sat: Sat) => void;
/** Runs situations, and hands over what came of each. */
export type Turns = (asked: readonly Situation[], options: ExamOptions, done: Done) => Promise<void>;

export async function runExam(options: ExamOptions): Promise<Exam> {
  const started = Date.now();
  const rows = situations.map((situation): Row => ({ ...plain(situation), ...whyNot(situation, options) }));
  const asked = situations.filter((situation) => whyNot(situation, options) === notYet);
  const used = { requests: 0, orders: 0 };
  const done = ({ row, used: { requests, orders } }: Sat): void => {
    rows[indexOf(row.id)] = row;
    used.requests += requests;
    used.orders += orders;
    options.onRow?.(row);
  };
  await (options.elsewhere ?? runHere)(asked, options, done);
  return kit.reportExam({
    client: options.name ?? options.command,
    command: options.again,
    tasks: options.tasks,
    seed: options.seed,
    startedAt: started,
    rules,
    rows,
    used,
    environment: { node: process.version, platform: `${process.platform} ${process.arch}` },
    interrupted: endOf(options.signal),
  });
}

/** A situation for which the machine was too slow gets a second turn, after all others. */
async function runHere(asked: readonly Situation[], options: ExamOptions, done: Done): Promise<void> {
  const [first] = asked;
  if (first !== undefined) await tryToStart(first.task, options);
  const late: Situation[] = [];
  const sit = async (situation: Situation, isSecond: boolean): Promise<void> => {
    if (options.signal?.aborted === true) return;
    const evidence = await runSituation(situation, options);
    const reason = whyUnjudged(evidence);
    const used = { requests: evidence.sent.length, orders: evidence.orders.length };
    if (reason === tooSlow && !isSecond) late.push(slowed(situation));
    else if (reason === undefined) done({ row: judged(evidence), used });
    else done({ row: { ...plain(situation), outcome: "blocked", reason }, used });
  };
  await someAtOnce(options.jobs, asked, (situation) => sit(situation, false));
  await someAtOnce(Math.ceil(options.jobs / 2), late, (situation) => sit(situation, true));
}

/** The same with more time: the client follows the stream for longer, so that the news reach it before its end. */
const slowed = (situation: Situation): Situation =>
  situation.seconds === undefined ? situation : { ...situation, seconds: situation.seconds * 4 };

async function someAtOnce<T>(
  jobs: number,
  items: readonly T[],
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: jobs }, worker));
}

type Reason = Pick<Row, "outcome" | "reason">;

/** The row of a situation that is to be run, until it has been. */
const notYet: Reason = { outcome: "blocked", reason: wasInterrupted };

/** Left out because of the tasks or of `only`. */
function whyNot({ id, task }: Situation, { tasks, only }: ExamOptions): Reason {
  if (!tasks.includes(task))
    return { outcome: "notApplicable", reason: `the client is not asked for the task ${task}` };
  return only.length === 0 || only.includes(id) ? notYet : { outcome: "filtered", reason: "not selected" };
}

const indexOf = (wanted: string): number => situations.findIndex(({ id }) => id === wanted);

const plain = ({ id, title, task }: Situation) => ({
  id,
  title,
  clauses: rules.filter(({ tasks }) => tasks === undefined || tasks.includes(task)).map((rule) => rule.id),
  findings: [],
  observations: {},
  durationMs: 0,
  place: `situation ${indexOf(id) + 1}`,
});

function judged(evidence: Evidence): Row {
  const { sent, secrets, situation } = evidence;
  const { task } = situation;
  const spoken = rules.flatMap(({ id, level, tasks, judge }) => {
    const breaches = tasks?.includes(task) === false ? undefined : judge(evidence);
    return breaches === undefined ? [] : [{ id, level, breaches }];
  });
  const findings = spoken.flatMap(({ id, level, breaches }) =>
    breaches.map(({ request, ...breach }) => ({
      ...breach,
      ...(request && { request: secrets.redact(`${request.method} ${request.target}`) }),
      pointer: "",
      clauses: [id],
      strength: level === "required" ? ("expect" as const) : ("should" as const),
      severity: level === "required" ? ("fail" as const) : ("warn" as const),
      step: request === undefined ? task : stepOf(sent.indexOf(request)),
      position: { file: "situation", line: indexOf(situation.id) + 1, column: 1 },
    })),
  );
  const row = {
    ...plain(situation),
    clauses: spoken.map(({ id }) => id),
    findings,
    durationMs: evidence.end.durationMs,
  };
  if (findings.length === 0) {
    const reason = whyNotShown(evidence);
    return reason === undefined ? { ...row, outcome: "passed" } : { ...row, outcome: "blocked", reason };
  }
  const failed = findings.some(({ severity }) => severity === "fail");
  const stderr = lastOf(secrets.redact(evidence.end.stderr));
  return {
    ...row,
    outcome: failed ? "failed" : "warned",
    ...(stderr === "" ? {} : { stderr }),
    trace: traceOf(evidence),
  };
}

const mostOfStderr = 4096;

const lastOf = (text: string): string => text.trimEnd().slice(-mostOfStderr);

/** The reason of the abort names the signal. */
function endOf(signal: AbortSignal | undefined): boolean | "SIGINT" | "SIGTERM" {
  const reason: unknown = signal?.reason;
  return reason === "SIGINT" || reason === "SIGTERM" ? reason : signal?.aborted === true;
}
