/**
 * The verdict is reached anew from the rows of all parts: a part that is incomplete by itself may be one of a run
 * that is green.
 */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { collect } from "../flag-values.ts";
import { presentRun } from "../present-run.ts";

export function register(program: Command): void {
  program
    .command("merge")
    .description("Join the reports of conform --shard 1/N to N/N into one verdict of the whole run.")
    .argument("<reports...>", "JSON or NDJSON reports, one of each shard")
    .option(
      "--report <format=file>",
      "write the joined report: json=FILE and others (repeatable)",
      collect,
      [],
    )
    .action(async (files, options) => {
      const reports = await kit.reportTargets(options.report, kit.reportFormats, { stdout: "free" });
      const run = await kit.mergeReportFiles(files);
      await presentRun(run, { reports, annotations: false });
      process.exitCode = run.report.exitCode;
    });
}
