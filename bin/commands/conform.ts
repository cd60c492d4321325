import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { CommandFailure } from "../command-failure.ts";
import { collect, type FlagsOf, wholeNumber } from "../flag-values.ts";
import { presentRun, progressOf } from "../present-run.ts";
import { tell } from "../screen.ts";
import { withSelectionFlags } from "../selection-flags.ts";
import { StopOnSignal } from "../stop-on-signal.ts";
import { flagWords, targetOf, targetWords, tellOfEarlierRuns, withTargetFlags } from "../target-flags.ts";
import { workersFlag } from "../work/flag.ts";

const declare = (program: Command) =>
  withSelectionFlags(
    withTargetFlags(
      program
        .command("conform")
        .description("Run the suite against a gateway and report whether it conforms to the specification."),
    ),
  )
    .option(
      "--report <format=file>",
      "write a report: json, ndjson, junit, html, tap, markdown or badge=FILE (repeatable)",
      collect,
      [],
    )
    .option("--annotations", "print GitHub workflow commands (always, in GitHub Actions)")
    .option("--seed <number>", "repeat the order and the choices of an earlier run", wholeNumber())
    .addOption(
      new Option("--order <order>", "stable: run the cases in the order of the files")
        .choices(["shuffled", "stable"] as const)
        .default("shuffled" as const),
    )
    .option("--shard <i/n>", "run one of N parts of the cases; `gatewright merge` joins their reports")
    .addOption(workersFlag())
    .option("--shards <number>", "with --workers: how many parts the run has; default: 4", wholeNumber(1, 64))
    .option(
      "--at-once <number>",
      "with --workers: how many shards may run at once; default: 1",
      wholeNumber(1, 64),
    )
    .option("--ledger <file>", "file that records orders before they are sent")
    .addOption(
      new Option(
        "--properties <when>",
        "generated requests after the cases; auto: on this machine, and for clauses that --only names",
      )
        .choices(["auto", "on", "off", "only"] as const)
        .default("auto" as const),
    )
    .option("--runs <number>", "how many plans each property tries", wholeNumber())
    .option("--counterexamples <folder>", "folder for counterexamples (scenarios)", "counterexamples")
    .option("--expectations <file>", "known failures, instead of the file in the profile")
    .option("--write-expectations <file>", "draft a file of known failures from this run")
    .addOption(
      new Option(
        "--gate <what>",
        "regressions: end with 0 if every failure is expected; selection: if every selected case passed",
      )
        .choices(["conformance", "regressions", "selection"] as const)
        .default("conformance" as const),
    )
    .option("--bail", "end the run at its first failure")
    .option(
      "--fail-on <what>",
      "warn: end with 7 if there are warnings; extra: failed cases of your own clauses fail the run, too (repeatable)",
      collectFailOn,
      [],
    );

export const register = (program: Command): void => void declare(program).action(runConform);

type ConformFlags = FlagsOf<typeof declare>;

/** The report that is shown, the reports that are written and the exit code come from one value. */
async function runConform(flags: ConformFlags): Promise<void> {
  const reports = await kit.reportTargets(flags.report, kit.reportFormats, { stdout: "free" });
  const shard = flags.shard === undefined ? {} : { shard: kit.parseShard(flags.shard) };
  const draft = flags.writeExpectations;
  if (draft !== undefined && existsSync(draft))
    throw new CommandFailure(`--write-expectations does not overwrite ${draft}: name another file`);
  if (draft !== undefined) await kit.checkOutput("--write-expectations", draft);
  await kit.checkOutputFolder("--counterexamples", flags.counterexamples);
  if (flags.workers !== undefined) return runOnWorkers(flags, flags.workers, reports);
  if (flags.shards !== undefined || flags.atOnce !== undefined)
    throw new CommandFailure("--shards and --at-once divide a run among workers: give --workers, too");
  const target = await targetOf(flags);
  await tellOfEarlierRuns(flags, target);
  using stop = new StopOnSignal();
  const ledger = flags.ledger ?? kit.newLedgerPath();
  const progress = progressOf();
  const live = kit.liveReports(reports);
  const { scenarios, only, skip, level, seed } = flags;
  const running = kit.runConformance({
    ...target,
    ...(seed === undefined ? {} : { seed }),
    scenarios,
    only,
    skip,
    level,
    order: flags.order,
    ...shard,
    failOnWarnings: flags.failOn.includes("warn"),
    failOnExtra: flags.failOn.includes("extra"),
    gate: flags.gate,
    bail: flags.bail === true,
    properties: flags.properties,
    ...(flags.runs === undefined ? {} : { runs: flags.runs }),
    counterexamples: flags.counterexamples,
    ...(flags.expectations === undefined ? {} : { expectations: flags.expectations }),
    signal: stop.signal,
    ledger,
    command: commandOf(flags),
    onStart: (run) => live.begin(run),
    onRow: (row) => {
      progress.row(row);
      live.row(row);
    },
  });
  const run = await running.catch(async (error: unknown) => {
    if (error instanceof kit.UnusableRun)
      await kit.writeReports(reports, error.run.report, error.run.redactor, live);
    return stop.orRethrow(error);
  });
  progress.end();
  await presentRun(run, { reports, live, annotations: flags.annotations ?? inGitHub() });
  if (draft !== undefined) await kit.writeOutput(draft, run.draftExpectations(), { fresh: true });
  if (existsSync(ledger))
    tell(`gatewright: orders are left open; to cancel them: gatewright cleanup --ledger ${ledger} …\n`);
  process.exitCode = run.report.exitCode;
}

/** For a run on this machine alone: workers have files, targets and secrets of their own. */
const notForWorkers = [
  "target",
  "keyId",
  "secretEnv",
  "readyFile",
  "shard",
  "ledger",
  "expectations",
  "writeExpectations",
  "bail",
] as const;

async function runOnWorkers(
  flags: ConformFlags,
  url: string,
  reports: readonly kit.ReportTarget[],
): Promise<void> {
  const { profile, scenarios, only, skip, level, order, properties, runs, gate, failOn, seed } = flags;
  const alone = notForWorkers.filter((name) => flags[name] !== undefined);
  if (scenarios.length > 0 || alone.length > 0 || profile === undefined) {
    const found = [...(scenarios.length > 0 ? ["scenarios"] : []), ...alone].map(flagOf).join(", ");
    const instead = found === "" ? "" : `, and without ${found}`;
    throw new CommandFailure(
      `--workers (GATEWRIGHT_WORKERS) runs the built-in suite for a profile that the workers have, too: give --profile FILE${instead}`,
    );
  }
  using stop = new StopOnSignal("the jobs of this run are being taken back");
  const { spreadShards } = await import("../work/spread-shards.ts");
  const running = spreadShards({
    url,
    profile,
    seed,
    only,
    skip,
    level,
    order,
    properties,
    gate,
    signal: stop.signal,
    ...(runs === undefined ? {} : { runs }),
    shards: flags.shards ?? 4,
    atOnce: flags.atOnce ?? 1,
    failOnWarnings: failOn.includes("warn"),
    failOnExtra: failOn.includes("extra"),
    counterexamples: flags.counterexamples,
    command: commandOf(flags),
  });
  const run = await running.catch((error: unknown) => stop.orRethrow(error, "interrupted"));
  await presentRun(run, { reports, annotations: flags.annotations ?? inGitHub() });
  process.exitCode = run.report.exitCode;
}

const flagOf = (name: string): string =>
  `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const inGitHub = (): boolean => process.env["GITHUB_ACTIONS"] === "true";

/** The command that starts this run again, without the selection. */
function commandOf(flags: ConformFlags): string {
  return [
    "gatewright conform",
    ...targetWords(flags),
    ...flags.scenarios.flatMap((place) => flagWords("scenarios", place)),
    ...flagWords("level", flags.level),
  ].join(" ");
}

const failOns = ["warn", "extra"] as const;
type FailOn = (typeof failOns)[number];

function collectFailOn(text: string, earlier: readonly FailOn[]): readonly FailOn[] {
  const found = failOns.find((known) => known === text);
  if (found === undefined) throw new InvalidArgumentError(`expected ${failOns.join(" or ")}`);
  return [...earlier, found];
}
