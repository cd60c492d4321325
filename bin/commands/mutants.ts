import { randomInt } from "node:crypto";
import os from "node:os";
import { type Command, Option } from "@commander-js/extra-typings";
import type { ClaimedLevel } from "../../conformance/commands.ts";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { CommandFailure } from "../command-failure.ts";
import type { Trial } from "../detection/catalogue.ts";
import type { Matrix } from "../detection/matrix.ts";
import type { TrialResult } from "../detection/trial.ts";
import { collect, type FlagsOf, wholeNumber } from "../flag-values.ts";
import { show } from "../screen.ts";
import { StopOnSignal } from "../stop-on-signal.ts";
import { workersFlag } from "../work/flag.ts";
import type { Spread } from "../work/spread-trials.ts";

type Kind = (typeof kinds)[number];
const kinds = [
  "named",
  "field",
  "independent",
  "variation",
  "combination",
  "hostile",
  "sample",
  "all",
] as const;

const declare = (program: Command) =>
  program
    .command("mutants")
    .description(
      "Run the suite against a simulator with each known bug and each legal variation, and report which ones it detects.",
    )
    .addOption(
      new Option(
        "--kind <kind>",
        "kind of bugs or variations; without it, --only selects from all kinds",
      ).choices(kinds),
    )
    .option(
      "--only <id>",
      "only those whose id matches (repeatable or with commas, * is a wildcard)",
      collect,
      [],
    )
    .option("--cases <pattern>", "run only these cases of the suite (repeatable)", collect, [])
    .addOption(
      new Option("--level <level>", "level of the suite")
        .choices(["core", "core+limits", "core+events", "full"] as const)
        .default("full" as const),
    )
    .addOption(
      new Option(
        "--properties <when>",
        "run the properties always, never, or only for bugs that the cases did not convict and for single variations",
      )
        .choices(["on", "off", "unconvicted"] as const)
        .default("unconvicted" as const),
    )
    .option(
      "--stop-at-conviction",
      "begin with the cases about the broken clauses, and end at the first finding",
    )
    .option("--combinations <number>", "also try this many combinations of legal variations", wholeNumber(1))
    .option(
      "--hostile-seeds <number>",
      "also try hostile mode with this many seeds, from --seed on",
      wholeNumber(1),
    )
    .option("--jobs <number>", "number of trials in parallel", wholeNumber(1), 2 * os.availableParallelism())
    .addOption(workersFlag())
    .option("--seed <number>", "repeat the choices of an earlier run", wholeNumber(1))
    .option("--list", "list the bugs and variations, and run nothing")
    .option("--report <format=file>", "write the matrix: html or json=FILE (repeatable)", collect, [])
    .option(
      "--write-sample <file>",
      "write the sample: the fewest bugs of this run that convict each clause once",
    );

export const register = (program: Command): void => void declare(program).action(run);

type Flags = FlagsOf<typeof declare>;

async function run(flags: Flags): Promise<void> {
  const { kind = "all", only, level, properties, list, report, writeSample } = flags;
  const {
    stopAtConviction = false,
    combinations = 0,
    hostileSeeds: hostile = 0,
    seed = randomInt(1, 2 ** 31),
  } = flags;
  const reports = await kit.reportTargets(report, ["html", "json"]);
  if (writeSample !== undefined) await kit.checkOutput("--write-sample", writeSample);
  const trials = await trialsOf(kind, only, { combinations, hostile, seed }, level);
  if (trials.length === 0)
    throw new CommandFailure("nothing in the catalogue matches: gatewright mutants --list shows all");
  if (list === true) {
    for (const { id, title, violates } of trials) {
      show(`${id.padEnd(34)} ${title}${violates.length === 0 ? "" : ` (${violates.join(" ")})`}\n`);
    }
    return;
  }
  if (flags.kind === undefined && only.length === 0) throw new CommandFailure(choicesOf(trials));
  const { isAsWanted, matrixOf, summaryLines } = await import("../detection/matrix.ts");
  const started = Date.now();
  const { results, jobs } = await resultsOf(trials, flags, seed);
  const matrix = matrixOf(trials, results, {
    startedAt: new Date(started).toISOString(),
    level,
    seed,
    properties,
    early: stopAtConviction,
    jobs,
    durationMs: Date.now() - started,
  });
  show(`\n${summaryLines(matrix).join("\n")}\n`);
  for (const { format, file } of reports) await kit.writeOutput(file, await textFor(format, matrix));
  if (writeSample !== undefined) {
    const { chooseSample, sampleText } = await import("../detection/sample.ts");
    const { readSpecClauses } = await import("../detection/catalogue.ts");
    await kit.writeOutput(writeSample, sampleText(chooseSample(results, await readSpecClauses(), level)));
  }
  process.exitCode = isAsWanted(matrix) ? exitCodes.ok : exitCodes.nonConformant;
}

/** From this machine, or from workers; with how many were under way at once. */
async function resultsOf(trials: readonly Trial[], flags: Flags, seed: number): Promise<Spread> {
  const { level, properties, stopAtConviction = false, cases, jobs, workers } = flags;
  const { resultLine } = await import("../detection/matrix.ts");
  const trying = {
    level,
    seed,
    properties,
    stopAtConviction,
    ...(cases.length === 0 ? {} : { only: cases }),
    onResult: (result: TrialResult) => show(`${resultLine(result)}\n`),
  };
  if (workers === undefined) {
    const { runTrials } = await import("../detection/run-trials.ts");
    return { results: await runTrials(trials, { ...trying, jobs }), jobs };
  }
  using stop = new StopOnSignal("the jobs of this run are being taken back");
  const { spreadTrials } = await import("../work/spread-trials.ts");
  const spread = spreadTrials(workers, trials, { ...trying, signal: stop.signal });
  return await spread.catch((error: unknown) => stop.orRethrow(error, "interrupted"));
}

/** A command of one word should not run for hours. */
function choicesOf(trials: readonly Trial[]): string {
  const count = (kind: Trial["kind"]): number => trials.filter((trial) => trial.kind === kind).length;
  return [
    `this would run the suite ${trials.length} times, against the simulator with each bug and each variation, which takes hours. Choose:`,
    "gatewright mutants --list                              what there is; nothing is run",
    "gatewright mutants --only M-041,M-042                  one or two bugs: a minute",
    `gatewright mutants --kind named --stop-at-conviction   the ${count("named")} named bugs, each until its first conviction; or field (${count("field")}), independent (${count("independent")})`,
    `gatewright mutants --kind variation                    the ${count("variation")} legal variations, each with the whole suite`,
    "gatewright mutants --kind sample                       the fewest bugs that convict every clause",
    "gatewright mutants --kind all                          everything: hours",
  ].join("\n  ");
}

async function textFor(format: "html" | "json", matrix: Matrix): Promise<string> {
  if (format === "json") return `${JSON.stringify(matrix, null, 2)}\n`;
  const { matrixPage } = await import("../detection/matrix-page.ts");
  const { readSpecClauses } = await import("../detection/catalogue.ts");
  return matrixPage(matrix, await readSpecClauses());
}

async function trialsOf(
  kind: Kind,
  only: readonly string[],
  {
    combinations,
    hostile,
    seed,
  }: { readonly combinations: number; readonly hostile: number; readonly seed: number },
  level: ClaimedLevel,
): Promise<readonly Trial[]> {
  const { readSpecClauses, readTrials, trialsOfLevel } = await import("../detection/catalogue.ts");
  const clauses = await readSpecClauses();
  const catalogue = trialsOfLevel(await readTrials(), clauses, level);
  const patterns = only.flatMap((list) => list.split(","));
  const isNamed = (trial: Trial): boolean =>
    patterns.length === 0 || patterns.some((pattern) => matches(pattern, trial));
  if (kind === "sample") {
    const { readSample, sampleTrials } = await import("../detection/sample.ts");
    return sampleTrials(await readSample(), catalogue, clauses).filter(isNamed);
  }
  const { combinationsOf, hostileTrials } = await import("../detection/combinations.ts");
  const variations = catalogue.filter((trial) => trial.kind === "variation");
  const drawn = [...combinationsOf(variations, combinations, seed), ...hostileTrials(hostile, seed)];
  return [...catalogue, ...drawn].filter(
    (trial) => (kind === "all" || trial.kind === kind) && isNamed(trial),
  );
}

function matches(pattern: string, { id }: Trial): boolean {
  const source = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${source.join(".*")}$`).test(id);
}
