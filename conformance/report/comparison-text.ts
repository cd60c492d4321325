import { diffWordsWithSpace } from "diff";
import { counted } from "../model/counted.ts";
import { printable } from "../model/printable.ts";
import type { Change, Comparison, Ends } from "./compare-reports.ts";
import { shortened } from "./printable.ts";
import { painter, plainTerminal, type Terminal } from "./terminal.ts";

/** The comparison as text: first the worse changes, then the better ones, then all others. */
export function comparisonText(comparison: Comparison, terminal: Terminal = plainTerminal): string {
  const paint = painter(terminal);
  const list = (
    word: string,
    style: "red" | "green" | "yellow" | "dim",
    changes: readonly Change[],
  ): string[] =>
    changes.map(({ id, from, to }) => `${paint(style, word.padEnd(8))} ${printable(id)}: ${from} → ${to}`);
  const { newlyFailing, fixed, newlyBlocked, newlyWarned, gone, added, clauses, behaviour } = comparison;
  const lines = [
    ...list("FAILING", "red", newlyFailing),
    ...list("BLOCKED", "yellow", newlyBlocked),
    ...list("WARNED", "yellow", newlyWarned),
    ...list("GONE", "yellow", gone),
    ...list("CLAUSE", "dim", clauses),
    ...list("FIXED", "green", fixed),
    ...list("NEW", "dim", added),
    ...behaviour.flatMap(({ what, from, to }) => [
      `${paint("dim", "OTHER   ")} ${printable(what)}`,
      ...differing(from, to).map((line) => `           ${line}`),
    ]),
  ];
  const counts = [
    `${newlyFailing.length} newly failing`,
    `${fixed.length} fixed`,
    `${newlyBlocked.length} newly blocked`,
    `${newlyWarned.length} newly warned`,
    `${gone.length} not run any more`,
    `${counted(behaviour.length, "change")} of behaviour`,
  ].join(", ");
  const verdict = comparison.worse ? paint("red", "WORSE") : paint("green", "NOT WORSE");
  return [
    `from  ${endLine(comparison.from)}`,
    `to    ${endLine(comparison.to)}`,
    "",
    ...lines,
    ...(lines.length === 0 ? [] : [""]),
    counts,
    verdict,
    "",
  ].join("\n");
}

function endLine({ target, startedAt, kit, level, verdict }: Ends): string {
  return printable(`${target}, ${startedAt}, kit ${kit}, level ${level}: ${verdict}`);
}

/** Removed text is in [-…-], added text in {+…+}, as in `git diff --word-diff`. */
function differing(from: string, to: string): string[] {
  const [old, now] = [shortened(from, 400), shortened(to, 400)];
  const parts = diffWordsWithSpace(old, now, { maxEditLength: 200 });
  const kept =
    parts
      ?.filter(({ added, removed }) => !added && !removed)
      .map(({ value }) => value.trim())
      .join("") ?? "";
  if (parts === undefined || kept.length < 12) return [`was ${printable(old)}`, `is  ${printable(now)}`];
  return [
    parts
      .map(({ added, removed, value }) =>
        removed ? `[-${printable(value)}-]` : added ? `{+${printable(value)}+}` : printable(value),
      )
      .join(""),
  ];
}
