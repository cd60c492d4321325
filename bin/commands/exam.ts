/** `gatewright exam`: the client's own program in situations that go wrong, graded from what it sent and where it ended. */
import { availableParallelism } from "node:os";
import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { CommandFailure } from "../command-failure.ts";
import { situations } from "../exam/all-situations.ts";
import { certificationOf, certifyExam } from "../exam/certification.ts";
import { runExam } from "../exam/exam.ts";
import { type TaskName, taskNames } from "../exam/situation.ts";
import { collect, type FlagsOf, wholeNumber } from "../flag-values.ts";
import { presentRun, progressOf } from "../present-run.ts";
import { show } from "../screen.ts";
import { StopOnSignal } from "../stop-on-signal.ts";
import { workersFlag } from "../work/flag.ts";
import { spreadSituations } from "../work/situations.ts";

const declare = (program: Command) =>
  program
    .command("exam")
    .description(
      "Run a client's own program in one situation after another, each in a world of its own, and grade it from what it sent and where it ended.",
    )
    .option("--client <command>", "the command that runs the client once, for the shell")
    .option("--tasks <list>", "the tasks that the client can do, with commas", tasksIn, [...taskNames])
    .option("--only <pattern>", "only situations whose ids begin so (repeatable)", collect, [])
    .option(
      "--report <format=file>",
      "write a report: json, ndjson, junit, html, tap, markdown or badge (repeatable)",
      collect,
      [],
    )
    .option(
      "--time-limit <seconds>",
      "time that the client has in a situation, beyond the seconds of its task",
      wholeNumber(1, 999_999_999),
      30,
    )
    .option("--seed <number>", "seed of the worlds", wholeNumber(1, 999_999_999), 1)
    .addOption(
      new Option("--jobs <number>", "situations at once on this machine")
        .argParser(wholeNumber(1, 999_999_999))
        .default(defaultJobs()),
    )
    .addOption(workersFlag())
    .option("--name <text>", "name of the client in the report; default: its command")
    .option("--key <file>", "sign a certificate with this Ed25519 private key in PEM")
    .option("--challenge <text>", "with --key: the text that the verifier gave you; the seed follows from it")
    .option("--out <file>", "with --key: file for the certificate; default: certificate.json")
    .option("--list", "print the situations and end");

export const register = (program: Command): void => void declare(program).action(exam);

type ExamFlags = FlagsOf<typeof declare>;

async function exam(flags: ExamFlags): Promise<void> {
  const { tasks, timeLimit, jobs, name, workers } = flags;
  if (flags.list === true) return list(tasks);
  const reports = await kit.reportTargets(flags.report, kit.reportFormats, { stdout: "free" });
  if (workers !== undefined && flags.key !== undefined)
    throw new CommandFailure(
      "--key certifies an exam that this machine has given: leave out --workers (GATEWRIGHT_WORKERS)",
      exitCodes.usage,
    );
  const certification = await certificationOf(flags, reports);
  const client = clientIn(flags);
  using stop = new StopOnSignal("the clients under way are being ended");
  const progress = progressOf();
  const run = await runExam({
    command: client,
    again: commandShown(client, tasks),
    tasks,
    only: situations.filter(({ id }) => flags.only.some((begin) => id.startsWith(begin))).map(({ id }) => id),
    limitMs: timeLimit * 1000,
    seed: certification?.signer.seed ?? flags.seed,
    jobs,
    name,
    signal: stop.signal,
    elsewhere: workers === undefined ? undefined : spreadSituations(workers),
    onRow: (row) => progress.row(row),
  });
  progress.end();
  process.exitCode = run.report.exitCode;
  const written = [...reports, ...(certification?.added ?? [])];
  await presentRun(run, { reports: written, annotations: false });
  if (certification !== undefined) await certifyExam(certification, run.report);
}

/** The command, when it and the selection make sense. */
function clientIn({ client, only }: ExamFlags): string {
  if (client === undefined || client.trim() === "")
    throw new CommandFailure(
      "--client is missing: the command that runs your client, in quotes",
      exitCodes.usage,
    );
  const unknown = only.find((pattern) => !situations.some(({ id }) => id.startsWith(pattern)));
  if (unknown !== undefined)
    throw new CommandFailure(
      `--only: no situation begins with ${kit.printable(unknown)}; gatewright exam --list prints them`,
      exitCodes.usage,
    );
  return client;
}

function list(tasks: readonly TaskName[]): void {
  const listed = situations.filter(({ task }) => tasks.includes(task));
  const width = Math.max(...listed.map(({ id }) => id.length));
  for (const { id, title } of listed) show(`${id.padEnd(width)}  ${title}\n`);
}

function commandShown(client: string, tasks: readonly TaskName[]): string {
  const chosen = tasks.length === taskNames.length ? "" : ` --tasks ${tasks.join(",")}`;
  return `gatewright exam --client '${client.replaceAll("'", "'\\''")}'${chosen}`;
}

function defaultJobs(): number {
  return Math.min(availableParallelism(), 4);
}

function tasksIn(text: string): TaskName[] {
  const names = text.split(",");
  const found = taskNames.filter((name) => names.includes(name));
  const unknown = names.find((name) => !found.some((task) => task === name));
  if (unknown !== undefined)
    throw new InvalidArgumentError(
      `There is no task ${JSON.stringify(unknown)}: the tasks are ${taskNames.join(", ")}.`,
    );
  return found;
}
