import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { collect } from "../flag-values.ts";
import { jsonText, show } from "../screen.ts";
import { type TargetFlags, targetOf, withTargetFlags } from "../target-flags.ts";

type Options = TargetFlags & { readonly json?: true | undefined };

export function register(program: Command): void {
  const command = program
    .command("coverage")
    .description(
      "Show which cases test which clause; ends with 1 when none tests a required or recommended clause.",
    );
  withTargetFlags(command)
    .option(
      "--pairs",
      "the tables of values that properties try in pairs, for any target or for the one that is given",
    )
    .option(
      "--scenarios <place>",
      "folder or file with scenarios instead of the built-in suite (repeatable)",
      collect,
      [],
    )
    .option("--report <format=file>", "write the table: markdown=FILE (repeatable)", collect, [])
    .option("--json", "as JSON")
    .action(async (options) => {
      if (options.pairs === true || namesTarget(options)) return showTables(options);
      const reports = await kit.reportTargets(options.report, ["markdown"]);
      const coverage = await kit.coverageOf(options.scenarios);
      show(options.json === true ? `${jsonText(coverage, 2)}\n` : kit.coverageText(coverage));
      for (const { file } of reports) await kit.writeOutput(file, kit.coverageMarkdown(coverage));
      process.exitCode = coverage.holes.length === 0 ? exitCodes.ok : exitCodes.nonConformant;
    });
}

/** Without a target: everything is supplied. */
async function showTables(options: Options): Promise<void> {
  const target = namesTarget(options);
  const tables = await kit.tableCoverage(target ? await targetOf(options) : undefined);
  show(options.json === true ? `${jsonText(tables, 2)}\n` : kit.tableCoverageText(tables));
  const whole = target || tables.every(({ left }) => left === 0);
  process.exitCode = whole ? exitCodes.ok : exitCodes.nonConformant;
}

const namesTarget = ({ profile, target, readyFile }: TargetFlags): boolean =>
  [profile, target, readyFile].some((flag) => flag !== undefined);
