/** Tables for a terminal and for docs/measurements.md: the same text in both. */
import os from "node:os";
import type { Row } from "./paired.ts";
import { unjudged } from "./quiet.ts";

export function heading(title: string): void {
  const [cpu] = os.cpus();
  console.log(
    `\n${title}\nNode ${process.version}, ${os.cpus().length} x ${cpu?.model ?? "unknown"}, load ${os.loadavg()[0]?.toFixed(1) ?? "?"}\n`,
  );
}

export function table(rows: readonly Row[], baseline: string, unit: string): void {
  print(
    ["", unit, `x ${baseline}`, "min", "max"],
    rows.map(({ name, value, ratio }) => [
      name,
      short(value.median),
      ratio.median.toFixed(2),
      ratio.min.toFixed(2),
      ratio.max.toFixed(2),
    ]),
  );
}

export function print(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  console.log(line(header));
  console.log(`|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`);
  for (const row of rows) console.log(line(row));
}

export const short = (value: number): string =>
  value >= 1e6
    ? `${(value / 1e6).toFixed(2)} M`
    : value >= 1e3
      ? `${(value / 1e3).toFixed(1)} k`
      : value.toFixed(value < 10 ? 2 : 0);

/** A goal and whether this run met it; printed, never asserted, and not judged on a busy machine. */
export function goal(statement: string, met: boolean, found: string): void {
  const judgement = unjudged === undefined ? (met ? "met" : "NOT MET") : `not judged, ${unjudged}`;
  console.log(`\n${judgement}: ${statement} (found ${found})`);
}
