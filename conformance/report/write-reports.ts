import { constants } from "node:fs";
import { lstat, mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Redactor } from "../client/redact.ts";
import { SafetyStop } from "../model/outcome.ts";
import { UsageError } from "../model/position.ts";
import { didYouMean } from "../parse/suggest.ts";
import { badgeOf, badgeSvg } from "./badge.ts";
import { htmlReport } from "./html/page.ts";
import { junitReport } from "./junit.ts";
import { LiveNdjson } from "./live-ndjson.ts";
import { markdownReport } from "./markdown.ts";
import { ndjsonReport } from "./ndjson.ts";
import type { Report } from "./report.ts";
import { tapReport } from "./tap.ts";

/**
 * Writes the files a person asked for. All are made from the one report value, filtered once more as text, written for
 * their owner only beside their place and then moved into it; a link in that place is not followed. What has grown during
 * the run is completed. At the end every file is read again: one in which a secret is found is deleted, and the run
 * stops with 5.
 */
export const reportFormats = ["json", "ndjson", "junit", "html", "tap", "markdown", "badge"] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string;
}

/** A report that cannot be written: exit 6, told after the verdict, so that it hides none. */
export class ReportUnwritten extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ReportUnwritten";
  }
}

/** `json=report.json`, checked before anything is sent. */
export function parseReportTarget(text: string): ReportTarget {
  const [, name = "", file] = /^([^=]*)=(.+)$/s.exec(text) ?? [];
  const format = reportFormats.find((known) => known === name);
  if (format === undefined || file === undefined) {
    const hint = didYouMean(name === "" ? text : name, reportFormats);
    throw new UsageError(
      `--report expects FORMAT=FILE with a format of ${reportFormats.join(", ")}, not "${text}"${hint === undefined ? "" : `: ${hint}`}`,
    );
  }
  return { format, file };
}

/** The files that grow while the run goes; give it the beginning and the rows of the run, and to `writeReports`. */
export function liveReports(targets: readonly ReportTarget[]): LiveNdjson {
  return new LiveNdjson(targets.flatMap(({ format, file }) => (format === "ndjson" ? [file] : [])));
}

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
      await writeWhole(file, redactor.redact(text()));
      written.push(file);
    } catch (error) {
      failures.push(`${file} cannot be written: ${reasonOf(error)}`);
    }
  }
  await scan(written, redactor);
  if (failures.length > 0) throw new ReportUnwritten(failures.join("\n"));
}

interface ReportFile {
  readonly file: string;
  readonly text: () => string;
}

function filesOf(format: ReportFormat, file: string, report: Report): ReportFile[] {
  switch (format) {
    case "json":
      return [{ file, text: () => `${JSON.stringify(report, null, 2)}\n` }];
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
        { file: endpointOf(file), text: () => `${JSON.stringify(badgeOf(report))}\n` },
      ];
    default:
      return format satisfies never;
  }
}

/** The data of a badge stands beside its picture: `badge.svg` and `badge.endpoint.json`. */
function endpointOf(file: string): string {
  return `${file.replace(/\.svg$/i, "")}.endpoint.json`;
}

async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  const there = await lstat(file).catch(() => undefined);
  if (there?.isSymbolicLink() === true) throw new Error("it is a link, and links are not followed");
  if (there?.isDirectory() === true) throw new Error("it is a folder");
  // A pipe or a device takes what is written and cannot be replaced.
  if (there !== undefined && !there.isFile()) {
    await writeTo(file, constants.O_WRONLY, text);
    return;
  }
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.draft`);
  try {
    await writeTo(
      draft,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      text,
    );
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeTo(file: string, flags: number, text: string): Promise<void> {
  const handle = await open(file, flags, 0o600);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** What is on the disk is what leaks, so that is what is searched. */
async function scan(files: readonly string[], redactor: Redactor): Promise<void> {
  const leaking: string[] = [];
  for (const file of files) {
    const regular = (await lstat(file)).isFile();
    if (!regular || !redactor.finds(await readFile(file, "utf8"))) continue;
    await rm(file, { force: true });
    leaking.push(file);
  }
  if (leaking.length > 0)
    throw new SafetyStop(
      `a secret was found in ${leaking.join(", ")} after redaction; deleted. This is a bug of the kit: change the secret, and tell us how the target spelled it.`,
    );
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const sentences: Readonly<Record<string, string>> = {
    EACCES: "permission is denied",
    ENOSPC: "the disk is full",
    EROFS: "the file system is read-only",
    ENOTDIR: "a part of its path is a file, not a folder",
  };
  return sentences[code ?? ""] ?? message;
}
