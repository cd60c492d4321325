/** `gatewright learn`: how a target takes the freedoms of the specification, as a profile and as a world. */
import { existsSync } from "node:fs";
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { CommandFailure } from "../command-failure.ts";
import { collect, type FlagsOf } from "../flag-values.ts";
import { jsonText, show, tell } from "../screen.ts";
import { StopOnSignal } from "../stop-on-signal.ts";
import { targetOf } from "../target-flags.ts";

const interrupted = "interrupted: no file was written";

type Lesson = Awaited<ReturnType<(typeof kit)["learn"]>>;
type LearnPlan = Awaited<ReturnType<(typeof kit)["planLesson"]>>;

const declare = (program: Command) =>
  program
    .command("learn")
    .description(
      "Find out by safe probes how a gateway takes the freedoms of the specification, and write a profile and a world that behaves like it.",
    )
    .option("--profile <file>", "description of the target: address, credentials, operations, limits")
    .option("--ready-file <file>", "the line of `gatewright serve --json`: the target is that sandbox")
    .option("--out-profile <file>", "where the profile goes", "learned.profile.yaml")
    .option("--out-world <file>", "where the world goes", "learned.world.yaml")
    .option("--report <format=file>", "json=FILE: everything that was seen", collect, [])
    .option("--force", "overwrite the two files")
    .option("--dry-run", "print what would be sent, and send nothing");

export const register = (program: Command): void => void declare(program).action(learn);

type LearnFlags = FlagsOf<typeof declare>;

async function learn(flags: LearnFlags): Promise<void> {
  const reports = await kit.reportTargets(flags.report, ["json"]);
  if (flags.dryRun !== true) await checkPlaces(flags);
  const { profile, environment = process.env } = await targetOf(flags);
  if (profile === undefined) throw new CommandFailure("give --profile FILE, or --ready-file FILE");
  const shown = (plan: LearnPlan): void => tell(planText(plan));
  if (flags.dryRun === true) {
    show(planText(await kit.planLesson({ profile, environment })));
    show("Nothing was sent.\n");
    return;
  }
  using stop = new StopOnSignal();
  const ledger = kit.newLedgerPath();
  const running = kit.learn({ profile, environment, ledger, onPlan: shown, signal: stop.signal });
  const lesson = await running.catch((error: unknown) => stop.orRethrow(error, interrupted));
  if (stop.signal.aborted) stop.orRethrow(new Error(interrupted), interrupted);
  for (const { file } of reports) await kit.writeOutput(file, `${jsonText(lesson.report)}\n`);
  await kit.writeOutput(flags.outProfile, lesson.profile, { fresh: flags.force !== true });
  await kit.writeOutput(flags.outWorld, lesson.world, { fresh: flags.force !== true });
  show(lessonText(lesson, flags));
  if (lesson.report.left.length === 0) return;
  tell(`gatewright: orders are left open; to cancel them: gatewright cleanup --ledger ${ledger} …\n`);
  process.exitCode = lesson.exitCode;
}

async function checkPlaces({ outProfile, outWorld, force }: LearnFlags): Promise<void> {
  for (const [flag, file] of [
    ["--out-profile", outProfile],
    ["--out-world", outWorld],
  ] as const) {
    await kit.checkOutput(flag, file);
    if (force !== true && existsSync(file))
      throw new CommandFailure(`${file} exists already: name another file with ${flag}, or use --force`);
  }
}

function planText({ target, baseUrl, rounds, probes, most, budget }: LearnPlan): string {
  const { printable } = kit;
  const lines = probes.map(
    ({ id, sends, requests, orders, omitted }) =>
      `${omitted === undefined ? "send" : "omit"}  ${`≤${requests}`.padStart(4)} requests, ${`≤${orders}`.padStart(2)} orders  ${id}: ${sends}${omitted === undefined ? "" : ` (${printable(omitted)})`}\n`,
  );
  const beyond = most.requests > budget.requests || most.orders > budget.orders;
  return [
    ...lines,
    `${printable(target)} at ${baseUrl}: ${rounds === 1 ? "one round" : `${rounds} rounds`}, at most ${most.requests} of ${budget.requests} requests and ${most.orders} of ${budget.orders} orders, each of which is cancelled\n`,
    beyond ? "BEYOND THE BUDGET: the last probes will not be sent, and what they show stays unknown\n" : "",
  ].join("");
}

function lessonText({ report }: Lesson, { outProfile, outWorld }: LearnFlags): string {
  const { printable } = kit;
  const known = report.freedoms.filter(({ option }) => option !== "unknown");
  const lines = known.map(
    ({ freedom, option, samples, confidence, evidence }) =>
      `${freedom.padEnd(32)} ${option.padEnd(22)} ${confidence.padEnd(4)} ${samples}  ${printable(evidence[0] ?? "")}\n`,
  );
  const { requests, orders } = report.sent;
  return [
    ...lines,
    `${known.length} of ${report.freedoms.length} freedoms are known, from ${requests} requests and ${orders} orders; the others are unknown, with a reason in the JSON report\n`,
    `${printable(outProfile)} is the profile, and ${printable(outWorld)} the world: gatewright serve --world ${printable(outWorld)}\n`,
  ].join("");
}
