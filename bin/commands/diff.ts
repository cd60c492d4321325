/** It ends with 1 when something became worse; mended and merely different results are shown and pass. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { jsonText, showPainted } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("diff")
    .description("Compare two reports: what fails now, what is fixed, what behaves differently.")
    .argument("<before>", "report of the earlier run, JSON or NDJSON")
    .argument("<after>", "report of the later run")
    .option("--json", "as JSON")
    .action(async (before, after, options) => {
      const comparison = kit.compareReports(await kit.readReport(before), await kit.readReport(after));
      showPainted(
        options.json === true
          ? `${jsonText(comparison, 2)}\n`
          : // oxlint-disable-next-line no-restricted-properties -- asked how wide it is
            kit.comparisonText(comparison, kit.terminalOf(process.stdout, process.env)),
      );
      process.exitCode = comparison.worse ? exitCodes.nonConformant : exitCodes.ok;
    });
}
