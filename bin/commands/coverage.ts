import { writeFile } from "node:fs/promises";
import type { Command } from "@commander-js/extra-typings";
import { CommandFailure } from "../command-failure.ts";
import { exitCodes } from "../exit-codes.ts";
import { collect, withKit } from "../kit-failure.ts";

export function register(program: Command): void {
  program
    .command("coverage")
    .description("Show which clause is tried by which cases; ends with 1 when a clause that counts is not.")
    .option(
      "--scenarios <place>",
      "folder or file with scenarios instead of the built-in suite (repeatable)",
      collect,
      [],
    )
    .option("--report <format=file>", "write the table: markdown=FILE")
    .option("--json", "as JSON")
    .action((options) =>
      withKit(async (kit) => {
        const file = fileOf(options.report);
        const coverage = await kit.coverageOf(options.scenarios);
        process.stdout.write(
          options.json === true ? `${JSON.stringify(coverage, null, 2)}\n` : kit.coverageText(coverage),
        );
        if (file !== undefined) await writeFile(file, kit.coverageMarkdown(coverage));
        process.exitCode = coverage.holes.length === 0 ? exitCodes.ok : exitCodes.nonConformant;
      }),
    );
}

function fileOf(report: string | undefined): string | undefined {
  if (report === undefined) return undefined;
  const file = /^markdown=(.+)$/s.exec(report)?.[1];
  if (file === undefined)
    throw new CommandFailure(`--report expects markdown=FILE, not "${report}"`, exitCodes.usage);
  return file;
}
