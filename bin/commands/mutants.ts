import { randomInt } from "node:crypto";
import { writeFile } from "node:fs/promises";
import os from "node:os";
import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { CommandFailure } from "../command-failure.ts";
import type { Trial } from "../detection/catalogue.ts";
import { exitCodes } from "../exit-codes.ts";
import { collect } from "../kit-failure.ts";

const kinds = ["named", "field", "independent", "variation", "all"] as const;

export function register(program: Command): void {
  program
    .command("mutants")
    .description(
      "Run the suite against a simulator with each known bug and each legal habit, and say what it noticed.",
    )
    .addOption(new Option("--kind <kind>", "which of them").choices(kinds).default("all" as const))
    .option("--only <id>", "only those whose id matches (repeatable, * is a wildcard)", collect, [])
    .option("--cases <pattern>", "run only these cases of the suite (repeatable)", collect, [])
    .addOption(
      new Option("--level <level>", "level of the suite")
        .choices(["core", "core+limits"] as const)
        .default("core+limits" as const),
    )
    .addOption(
      new Option("--properties <when>", "with or without the properties")
        .choices(["on", "off"] as const)
        .default("on" as const),
    )
    .option("--jobs <number>", "how many at once", wholeNumber, os.availableParallelism())
    .option("--seed <number>", "repeat the choices of an earlier run", wholeNumber)
    .option("--list", "list them and run nothing")
    .option("--report <file>", "write the matrix as JSON")
    .action(run);
}

interface Flags {
  readonly kind: (typeof kinds)[number];
  readonly only: readonly string[];
  readonly cases: readonly string[];
  readonly level: "core" | "core+limits";
  readonly properties: "on" | "off";
  readonly jobs: number;
  readonly seed?: number | undefined;
  readonly list?: true | undefined;
  readonly report?: string | undefined;
}

async function run({
  kind,
  only,
  cases,
  level,
  properties,
  jobs,
  seed = randomInt(1, 2 ** 31),
  list,
  report,
}: Flags): Promise<void> {
  const { readTrials } = await import("../detection/catalogue.ts");
  const trials = (await readTrials()).filter(
    (trial) =>
      (kind === "all" || trial.kind === kind) &&
      (only.length === 0 || only.some((pattern) => matches(pattern, trial))),
  );
  if (trials.length === 0)
    throw new CommandFailure("nothing in the catalogue matches: gatewright mutants --list shows all");
  if (list === true) {
    for (const { id, title, violates } of trials) {
      process.stdout.write(
        `${id.padEnd(34)} ${title}${violates.length === 0 ? "" : ` (${violates.join(" ")})`}\n`,
      );
    }
    return;
  }
  const { runTrials } = await import("../detection/run-trials.ts");
  const { isAsWanted, matrixOf, resultLine, summaryLines } = await import("../detection/matrix.ts");
  const started = Date.now();
  const results = await runTrials(trials, {
    level,
    seed,
    properties,
    jobs,
    ...(cases.length === 0 ? {} : { only: cases }),
    onResult: (result) => void process.stdout.write(`${resultLine(result)}\n`),
  });
  const matrix = matrixOf(trials, results, { level, seed, durationMs: Date.now() - started });
  process.stdout.write(`\n${summaryLines(matrix).join("\n")}\n`);
  if (report !== undefined) await writeFile(report, `${JSON.stringify(matrix, null, 2)}\n`);
  process.exitCode = isAsWanted(matrix) ? exitCodes.ok : exitCodes.nonConformant;
}

function matches(pattern: string, { id }: Trial): boolean {
  const source = pattern.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${source.join(".*")}$`).test(id);
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < 1)
    throw new InvalidArgumentError("expected a whole number above zero");
  return number;
}
