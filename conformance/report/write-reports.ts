import { lstat, readFile, rm } from "node:fs/promises";
import { resolve } from "node:path";
import type { Redactor } from "../client/redact.ts";
import { SafetyStop } from "../model/outcome.ts";
import { UsageError } from "../model/position.ts";
import { jsonText } from "../model/printable.ts";
import { didYouMean } from "../model/suggest.ts";
import { badgeOf, badgeSvg } from "./badge.ts";
import { htmlReport } from "./html/page.ts";
import { junitReport } from "./junit.ts";
import { LiveNdjson } from "./live-ndjson.ts";
import { markdownReport } from "./markdown.ts";
import { ndjsonReport } from "./ndjson.ts";
import { checkOutput, OutputUnwritten, standardOutput, writeOutput } from "./output-file.ts";
import type { Report } from "./report.ts";
import { tapReport } from "./tap.ts";

/**
 * Writes the files that the user asked for. All are made from one report value, redacted once more as text, readable
 * for their owner only, and moved into their place; a link in that place is not followed. Files that grew during the
 * run are completed. At the end every file is read again: a file with a secret is deleted, and the run stops with 5.
 */
export const reportFormats = ["json", "ndjson", "junit", "html", "tap", "markdown", "badge"] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string;
}

/** `json=report.json`, checked before anything is sent. */
export function parseReportTarget<Format extends string>(
  text: string,
  formats: readonly Format[],
): { readonly format: Format; readonly file: string } {
  const [, name = text, file = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const format = formats.find((known) => known === name);
  if (format !== undefined && file !== "") return { format, file };
  const expected = `--report expects FORMAT=FILE with a format of ${formats.join(", ")}`;
  if (format !== undefined)
    throw new UsageError(`${expected}, not "${text}": it names no file; write ${format}=FILE`);
  const meant = name === text ? formats.find((known) => text.endsWith(`.${known}`)) : undefined;
  const hint = meant === undefined ? didYouMean(name, formats) : `write ${meant}=${text}`;
  throw new UsageError(`${expected}, not "${text}"${hint === undefined ? "" : `: ${hint}`}`);
}

/** Whether a report may take the standard output, because the screen's text can go to stderr. */
interface Places {
  readonly stdout?: "free";
}

/** The targets in these flags; the place of each is checked before anything is sent. */
export async function reportTargets<Format extends string>(
  flags: readonly string[],
  formats: readonly Format[],
  { stdout }: Places = {},
): Promise<readonly { readonly format: Format; readonly file: string }[]> {
  const targets = flags.map((flag) => parseReportTarget(flag, formats));
  if (targets.filter(isStandardOutput).length > 1)
    throw new UsageError("--report: one report alone can go to the standard output (-)");
  for (const { format, file } of targets) {
    if (file === standardOutput && stdout === "free" && format !== "badge") continue;
    await checkOutput("--report", file);
    if (format === "badge") await checkOutput("--report", endpointOf(file));
  }
  return targets;
}

/**
 * The files that grow during the run. The caller gives it the start and the rows of the run, and passes it to
 * `writeReports`.
 */
export function liveReports(targets: readonly ReportTarget[]): LiveNdjson {
  const growing = targets.filter((target) => target.format === "ndjson" && !isStandardOutput(target));
  return new LiveNdjson(growing.map(({ file }) => file));
}

export const isStandardOutput = ({ file }: Pick<ReportTarget, "file">): boolean => file === standardOutput;

export async function writeReports(
  targets: readonly ReportTarget[],
  report: Report,
  redactor: Redactor,
  live?: LiveNdjson,
): Promise<void> {
  const files = targets.flatMap(({ format, file }) => filesOf(format, file, report));
  const failures: string[] = [];
  const written = [...(live?.end(report) ?? [])];
  for (const { file, text } of files.filter(({ file }) => !written.includes(file))) {
    try {
      const redacted = redactor.redact(text());
      if (isStandardOutput({ file }) || isStepSummary(file)) await add(file, redacted, redactor);
      else {
        await writeOutput(file, redacted);
        written.push(file);
      }
    } catch (error) {
      if (!(error instanceof OutputUnwritten)) throw error;
      failures.push(error.message);
    }
  }
  await scan(written, redactor);
  if (failures.length > 0) throw new OutputUnwritten(failures.join("\n"));
}

/** What others read or write too cannot be deleted afterwards, so it is searched for secrets before. */
async function add(file: string, text: string, redactor: Redactor): Promise<void> {
  if (redactor.finds(text)) throw leak(`the report for ${file}`, "it was not written");
  if (isStandardOutput({ file })) process.stdout.write(text);
  else await writeOutput(file, text, { append: true });
}

const leak = (where: string, what: string): SafetyStop =>
  new SafetyStop(
    `a secret was found in ${where} after redaction; ${what}. This is a bug of the kit: change the secret, and tell us how the target spelled it.`,
  );

/** The summary of a step is one file for all that the step writes. */
function isStepSummary(file: string): boolean {
  const { GITHUB_STEP_SUMMARY: summary = "" } = process.env;
  return summary !== "" && resolve(file) === resolve(summary);
}

interface ReportFile {
  readonly file: string;
  readonly text: () => string;
}

function filesOf(format: ReportFormat, file: string, report: Report): ReportFile[] {
  switch (format) {
    case "json":
      return [{ file, text: () => `${jsonText(report, 2)}\n` }];
    case "ndjson":
      return [{ file, text: () => ndjsonReport(report) }];
    case "junit":
      return [{ file, text: () => junitReport(report) }];
    case "html":
      return [{ file, text: () => htmlReport(report) }];
    case "tap":
      return [{ file, text: () => tapReport(report) }];
    case "markdown":
      return [{ file, text: () => markdownReport(report) }];
    case "badge":
      return [
        { file, text: () => badgeSvg(report) },
        { file: endpointOf(file), text: () => `${jsonText(badgeOf(report))}\n` },
      ];
    default:
      return format satisfies never;
  }
}

/** The data of a badge is next to its picture: `badge.svg` and `badge.endpoint.json`. */
function endpointOf(file: string): string {
  return `${file.replace(/\.svg$/i, "")}.endpoint.json`;
}

/** Searches the files on the disk, because they are what could leak. */
async function scan(files: readonly string[], redactor: Redactor): Promise<void> {
  const leaking: string[] = [];
  for (const file of files) {
    const regular = (await lstat(file)).isFile();
    if (!regular || !redactor.finds(await readFile(file, "utf8"))) continue;
    await rm(file, { force: true });
    leaking.push(file);
  }
  if (leaking.length > 0) throw leak(leaking.join(", "), "deleted");
}
