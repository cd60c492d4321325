import { open } from "node:fs/promises";
import type { Redactor } from "../client/redact.ts";
import { SafetyStop } from "../model/outcome.ts";
import { UsageError } from "../model/position.ts";
import type { Report } from "./report.ts";

export const reportFormats = ["json"] as const;
export type ReportFormat = (typeof reportFormats)[number];

export interface ReportTarget {
  readonly format: ReportFormat;
  readonly file: string;
}

/** `json=report.json`, checked before anything is sent. */
export function parseReportTarget(text: string): ReportTarget {
  const [, name, file] = /^(\w+)=(.+)$/.exec(text) ?? [];
  const format = reportFormats.find((known) => known === name);
  if (format === undefined || file === undefined) {
    throw new UsageError(
      `--report expects FORMAT=FILE with a format of ${reportFormats.join(", ")}, not "${text}"`,
    );
  }
  return { format, file };
}

/** Written for the owner only; a secret that got past redaction stops the run (kit.md 6.3). */
export async function writeReport({ file }: ReportTarget, report: Report, redactor: Redactor): Promise<void> {
  const text = `${redactor.redact(JSON.stringify(report, null, 2))}\n`;
  if (redactor.finds(text)) throw new SafetyStop(`a secret was about to be written to ${file}`);
  const handle = await open(file, "w", 0o600);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}
