import * as kit from "../conformance/commands.ts";
import { exitCodes } from "../conformance/exit-codes.ts";
import { CommandFailure } from "./command-failure.ts";
import { showPainted } from "./screen.ts";

type Run = Pick<import("../conformance/commands.ts").ConformRun, "report" | "redactor">;
type Target = import("../conformance/commands.ts").ReportTarget;

export interface Presentation {
  readonly reports: readonly Target[];
  /** Those of them that have been growing since the run began. */
  readonly live?: ReturnType<(typeof kit)["liveReports"]>;
  /** GitHub workflow commands, too: asked for, or because we run there. */
  readonly annotations: boolean;
}

/**
 * Shows a finished run and writes its files, from one value. The verdict is on the screen before any file is tried, so
 * a file that cannot be written hides nothing. A report on stdout is alone there.
 */
export async function presentRun({ report, redactor }: Run, wanted: Presentation): Promise<void> {
  const screen = wanted.reports.some(kit.isStandardOutput) ? process.stderr : process.stdout;
  const shown = kit.consoleReport(report, kit.terminalOf(screen, process.env));
  showPainted(redactor.redact(shown), screen);
  if (wanted.annotations) screen.write(redactor.redact(kit.annotations(report)));
  try {
    await kit.writeReports(wanted.reports, report, redactor, wanted.live);
  } catch (error) {
    if (!(error instanceof kit.OutputUnwritten)) throw error;
    throw new CommandFailure(
      `${error.message}\nThe verdict is above: ${report.verdict}. Without this error the exit code would have been ${report.exitCode}.`,
      exitCodes.internalError,
    );
  }
}

/** Rows as they are done, on stderr: stdout is the report. */
export function progressOf(): InstanceType<(typeof kit)["Progress"]> {
  const terminal = kit.terminalOf(process.stderr, process.env);
  const moving = process.stderr.isTTY && process.env["TERM"] !== "dumb" && process.env["CI"] === undefined;
  return new kit.Progress((text) => process.stderr.write(text), terminal, moving);
}
