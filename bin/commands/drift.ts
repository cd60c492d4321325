/** It ends with 1 when a client would notice something that is in no list of accepted differences. */
import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Command } from "@commander-js/extra-typings";
import { CommandFailure } from "../command-failure.ts";
import { collect, withKit } from "../kit-failure.ts";
import { jsonText, showPainted, tell } from "../screen.ts";
import { readSeed } from "../seed.ts";
import { StopOnSignal } from "../stop-on-signal.ts";

type Kit = typeof import("../../conformance/commands.ts");

export function register(program: Command): void {
  program
    .command("drift")
    .description("Run the same steps on two targets, and show what a client would notice.")
    .argument("[scenarios...]", "scenario files or folders; default: the built-in suite at level core")
    .requiredOption("--a <profile>", "the first target: a profile, or the ready file of a sandbox")
    .requiredOption("--b <profile>", "the second target")
    .option("--only <pattern>", "only these cases: an id with *, a tag or a clause (repeatable)", collect, [])
    .option("--accept <file>", "differences that are known, each with its reason")
    .option("--write-accepted <file>", "draft that list from this run")
    .option("--report <format=file>", "write a report: text, html or json=FILE (repeatable)", collect, [])
    .option(
      "--seed <number>",
      "choices of the run, the same on both targets; default: another one each time",
      readSeed,
    )
    .action((scenarios, flags) => withKit((kit) => compare(scenarios, flags, kit)));
}

interface DriftFlags {
  readonly a: string;
  readonly b: string;
  readonly only: readonly string[];
  readonly accept?: string | undefined;
  readonly writeAccepted?: string | undefined;
  readonly report: readonly string[];
  readonly seed?: number | undefined;
}

async function compare(scenarios: readonly string[], flags: DriftFlags, kit: Kit): Promise<void> {
  const reports = flags.report.map(reportIn);
  for (const { file } of reports) await kit.checkOutput("--report", file);
  if (flags.writeAccepted !== undefined) await kit.checkOutput("--write-accepted", flags.writeAccepted);
  const accepted = flags.accept === undefined ? [] : await kit.readAccepted(flags.accept);
  using stop = new StopOnSignal();
  const report = await kit.drift({
    a: await targetIn(flags.a, kit),
    b: await targetIn(flags.b, kit),
    scenarios,
    only: flags.only,
    seed: flags.seed ?? randomInt(2 ** 32),
    accepted,
    ledgers: { a: kit.newLedgerPath(), b: kit.newLedgerPath() },
    signal: stop.signal,
    onTarget: (side) => tell(`gatewright drift: running on ${side}, ${kit.printable(flags[side])}\n`),
  });
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

const formats = ["text", "html", "json"] as const;

function reportIn(text: string): { readonly format: (typeof formats)[number]; readonly file: string } {
  const [, name, file = ""] = /^(\w+)=(.+)$/s.exec(text) ?? [];
  const format = formats.find((one) => one === name);
  if (format === undefined)
    throw new CommandFailure(`--report ${text}: write FORMAT=FILE, where FORMAT is ${formats.join(", ")}`);
  return { format, file };
}

/** The line of `gatewright serve --json` is JSON, a profile is not. */
async function targetIn(file: string, kit: Kit) {
  const begin = await readFile(file, "utf8").then(
    (text) => text.trimStart().slice(0, 1),
    () => "",
  );
  if (begin !== "{") return { profile: file };
  const environment = { ...process.env, ...kit.environmentOf(await kit.readReadyFile(file)) };
  return { profile: `${kit.packageRoot()}/fixtures/profiles/simulator.yaml`, environment };
}
