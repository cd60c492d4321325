import type { Command } from "@commander-js/extra-typings";
import { exitCodes } from "../exit-codes.ts";
import { collect, withKit } from "../kit-failure.ts";
import { jsonText, show } from "../screen.ts";

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
    .option("--report <format=file>", "write the table: markdown=FILE (repeatable)", collect, [])
    .option("--json", "as JSON")
    .action((options) =>
      withKit(async (kit) => {
        const reports = await kit.reportTargets(options.report, ["markdown"]);
        const coverage = await kit.coverageOf(options.scenarios);
        show(options.json === true ? `${jsonText(coverage, 2)}\n` : kit.coverageText(coverage));
        for (const { file } of reports) await kit.writeOutput(file, kit.coverageMarkdown(coverage));
        process.exitCode = coverage.holes.length === 0 ? exitCodes.ok : exitCodes.nonConformant;
      }),
    );
}
