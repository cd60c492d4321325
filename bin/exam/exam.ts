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
  /** Ids that are run must begin with one of these; all are run when there are none. */
  readonly only: readonly string[];
  /** How many situations are run at once. */
  readonly jobs: number;
  readonly again: string;
  /** Of the client, in the report; its command when absent. */
  readonly name?: string | undefined;
  readonly onRow?: (row: Row) => void;
}

export async function runExam(options: ExamOptions): Promise<Exam> {
  const first = situations.find((one) => whyNot(one, options) === undefined);
  if (first !== undefined) await tryToStart(first.task, options);
  const started = Date.now();
  const rows: Row[] = [];
  const used = { requests: 0, orders: 0 };
  const late: Turn[] = [];
  const sit = async ({ index, situation, isSecond = false }: Turn): Promise<void> => {
    const unasked = whyNot(situation, options);
    if (unasked !== undefined) {
      rows[index] = { ...plain(situation, index), ...unasked };
      return;
    }
    const evidence = await runSituation(situation, options);
    used.requests += evidence.sent.length;
    used.orders += evidence.orders.length;
    const reason = whyUnjudged(evidence);
    if (reason === tooSlow && !isSecond) {
      late.push({ index, situation: slowed(situation), isSecond: true });
      return;
    }
    const row =
      reason === undefined
        ? judged(evidence, index)
        : { ...plain(situation, index), outcome: "blocked" as const, reason };
    rows[index] = row;
    options.onRow?.(row);
  };
  const all = situations.map((situation, index) => ({ index, situation }));
  await someAtOnce(options.jobs, all, sit);
  await someAtOnce(Math.ceil(options.jobs / 2), late, sit);
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

/** A situation for which the machine was too slow gets a second one. */
interface Turn {
  readonly index: number;
  readonly situation: Situation;
  readonly isSecond?: boolean;
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

/** Left out because of the tasks, of `--only`, or of an interruption. */
function whyNot(
  { id, task }: Situation,
  { tasks, only, signal }: ExamOptions,
): Pick<Row, "outcome" | "reason"> | undefined {
  if (!tasks.includes(task))
    return { outcome: "notApplicable", reason: `the client is not asked for the task ${task}` };
  if (only.length > 0 && !only.some((pattern) => id.startsWith(pattern)))
    return { outcome: "filtered", reason: "not selected" };
  return signal?.aborted === true ? { outcome: "blocked", reason: wasInterrupted } : undefined;
}

const plain = ({ id, title, task }: Situation, index: number) => ({
  id,
  title,
  clauses: rules.filter(({ tasks }) => tasks === undefined || tasks.includes(task)).map((rule) => rule.id),
  findings: [],
  observations: {},
  durationMs: 0,
  place: `situation ${index + 1}`,
});

function judged(evidence: Evidence, index: number): Row {
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
      position: { file: "situation", line: index + 1, column: 1 },
    })),
  );
  const row = {
    ...plain(evidence.situation, index),
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
