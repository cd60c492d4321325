/** It ends with 1 when a client would notice something that is in no list of accepted differences. */
import { randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { CommandFailure } from "../command-failure.ts";
import { collect, type FlagsOf, readSeed } from "../flag-values.ts";
import { jsonText, showPainted, tell } from "../screen.ts";
import { StopOnSignal } from "../stop-on-signal.ts";

const declare = (program: Command) =>
  program
    .command("drift")
    .description("Run the same steps on two targets, and show what a client would notice.")
    .argument("[places...]", "scenario files or folders; default: the built-in suite at level core")
    .requiredOption("--a <file>", "the first target: a profile, or the ready file of a sandbox")
    .requiredOption("--b <file>", "the second target")
    .option("--only <pattern>", "only these cases: an id with *, a tag or a clause (repeatable)", collect, [])
    .option("--accept <file>", "differences that are known, each with its reason")
    .option("--write-accepted <file>", "draft that list from this run")
    .option("--report <format=file>", "write a report: text, html or json=FILE (repeatable)", collect, [])
    .option(
      "--seed <number>",
      "choices of the run, the same on both targets; default: another one each time",
      readSeed,
    );

export const register = (program: Command): void => void declare(program).action(compare);

type DriftFlags = FlagsOf<typeof declare>;

async function compare(scenarios: readonly string[], flags: DriftFlags): Promise<void> {
  const reports = flags.report.map(reportIn);
  for (const { file } of reports) await kit.checkOutput("--report", file);
  if (flags.writeAccepted !== undefined) await kit.checkOutput("--write-accepted", flags.writeAccepted);
  const accepted = flags.accept === undefined ? [] : await kit.readAccepted(flags.accept);
  const [a, b] = [await targetIn(flags.a), await targetIn(flags.b)];
  using stop = new StopOnSignal();
  const ledgers = { a: kit.newLedgerPath(), b: kit.newLedgerPath() };
  const running = kit.drift({
    a,
    b,
    scenarios,
    only: flags.only,
    seed: flags.seed ?? randomInt(2 ** 32),
    accepted,
    ledgers,
    signal: stop.signal,
    onTarget: (side) => tell(`gatewright drift: running on ${side}, ${kit.printable(flags[side])}\n`),
  });
  const report = await running
    .catch((error: unknown) => stop.orRethrow(error, "interrupted: the targets were not compared"))
    .finally(() => tellOfLedgers(ledgers));
  // oxlint-disable-next-line no-restricted-properties -- asked how wide it is
  showPainted(kit.driftText(report, kit.terminalOf(process.stdout, process.env)));
  for (const { format, file } of reports)
    await kit.writeOutput(
      file,
      format === "json"
        ? `${jsonText(report, 2)}\n`
        : format === "html"
          ? kit.driftHtml(report)
          : kit.driftText(report),
    );
  if (flags.writeAccepted !== undefined)
    await kit.writeOutput(flags.writeAccepted, kit.draftAccepted(report.differences));
  process.exitCode = report.exitCode;
}

/** A ledger that is still there has orders that are still open. */
function tellOfLedgers(ledgers: { readonly a: string; readonly b: string }): void {
  for (const [side, ledger] of Object.entries(ledgers))
    if (existsSync(ledger))
      tell(
        `gatewright: orders are left open on ${side}; to cancel them: gatewright cleanup --ledger ${ledger} …\n`,
      );
}

const formats = ["text", "html", "json"] as const;

function reportIn(text: string): { readonly format: (typeof formats)[number]; readonly file: string } {
  const [, name, file = ""] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  const format = formats.find((one) => one === name);
  if (format === undefined)
    throw new CommandFailure(`--report ${text}: write FORMAT=FILE, where FORMAT is ${formats.join(", ")}`);
  return { format, file };
}

/** The line of `gatewright serve --json` is JSON, a profile is not. */
async function isReadyFile(file: string): Promise<boolean> {
  const bytes = await kit.readBytesCapped("profile", file, kit.mostBytes.small);
  return kit.textIn(bytes).trimStart().startsWith("{");
}

async function targetIn(file: string) {
  if (!(await isReadyFile(file))) return { profile: file };
  const environment = { ...process.env, ...kit.environmentOf(await kit.readReadyFile(file)) };
  return { profile: `${kit.packageRoot()}/fixtures/profiles/simulator.yaml`, environment };
}
