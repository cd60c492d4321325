import { exitCodes } from "../exit-codes.ts";
import { counted } from "../model/counted.ts";
import type { Report } from "./report.ts";

/** Facts that a good verdict must not hide, one sentence each; they are shown beside it everywhere. */
export function remarks(report: Report): string[] {
  const { verdict, exitCode, rules, summary } = report;
  const { blocked } = summary.cases;
  const warned = report.clauses.filter(
    ({ outcome, aliasOf }) => outcome === "warned" && aliasOf.length === 0,
  );
  const good = exitCode === exitCodes.ok || exitCode === exitCodes.warnings;
  return [
    ...(good && warned.length > 0
      ? [
          `There are warnings, about ${counted(warned.length, "clause")}: ${warned.map(({ id }) => id).join(" ")}.${
            rules.failOnWarnings ? "" : " The exit code is still 0; with --fail-on warn it is 7."
          }`,
        ]
      : []),
    ...(blocked > 0 && verdict.startsWith("CONFORMANT")
      ? [
          `${counted(blocked, "case")} could not run; the BLOCKED lines say what is missing. Each required clause of the level was verified without ${blocked === 1 ? "it" : "them"}.`,
        ]
      : []),
  ];
}
