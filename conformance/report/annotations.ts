import { printable } from "../model/printable.ts";
import { elsewhereLines } from "./elsewhere.ts";
import { leftOpen } from "./left-open.ts";
import { commandMessage, commandProperty, shortened } from "./printable.ts";
import { problemsOf } from "./problems.ts";
import type { Report } from "./report.ts";
import { someOf } from "./terminal.ts";

const most = 10;

/**
 * GitHub workflow commands: one for orders that were left open, and one per violated clause, at the line of the
 * scenario that shows it. Expected failures are left out. GitHub shows ten of a kind, so a notice after them counts and
 * names the rest.
 */
export function annotations(report: Report): string {
  const problems = problemsOf(report, "fail")
    .map((problem) => ({
      ...problem,
      items: problem.items.filter(({ expectedBy }) => expectedBy === undefined),
    }))
    .filter(({ items }) => items.length > 0);
  const left = leftOpen(report);
  const open =
    left === undefined
      ? []
      : [command("error", { title: `LEFT OPEN ${left.what}` }, `${someOf(left.orders, 20)}; ${left.advice}`)];
  const shown = most - open.length;
  const lines = problems.slice(0, shown).map(({ id, clause, items: [first, ...others] }) => {
    const properties = { ...positionOf(first?.place), title: `${id} ${clause?.statement ?? "is violated"}` };
    const more = others.length === 0 ? "" : `, and ${others.length} more`;
    const at = first?.pointer ? `${first.pointer}: ` : "";
    const said = `${at}expected ${shortened(first?.expected ?? "", 300)}, was ${shortened(first?.actual ?? "", 300)}`;
    const [incident] = elsewhereLines(report, [id]);
    const elsewhere = incident === undefined ? "" : `; the same fault elsewhere: ${incident}`;
    return command("error", properties, `${first?.row?.id ?? "every reply"}: ${said}${more}${elsewhere}`);
  });
  const rest = problems.slice(shown);
  if (rest.length > 0)
    lines.push(
      command(
        "notice",
        { title: "gatewright" },
        `and ${rest.length} more clauses: ${rest.map(({ id }) => id).join(" ")}`,
      ),
    );
  if (report.verdict === "INCOMPLETE") lines.push(command("warning", { title: "INCOMPLETE" }, report.reason));
  return [...open, ...lines].map((line) => `${line}\n`).join("");
}

function positionOf(place = ""): Readonly<Record<string, string>> {
  const [, file, line, col] = /^(.+):(\d+):(\d+)$/.exec(place) ?? [];
  return file === undefined || line === undefined || col === undefined ? {} : { file, line, col };
}

function command(kind: string, properties: Readonly<Record<string, string>>, message: string): string {
  const said = Object.entries(properties).map(
    ([name, value]) => `${name}=${commandProperty(printable(value))}`,
  );
  return `::${kind} ${said.join(",")}::${commandMessage(printable(message))}`;
}
