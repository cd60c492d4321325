/** The part of the console report about clauses that are violated. */
import { counted } from "../model/counted.ts";
import { printable } from "../model/printable.ts";
import type { RuleEvidence } from "../runner/judge/ambient-log.ts";
import { elsewhereLine } from "./elsewhere.ts";
import { shortened } from "./printable.ts";
import {
  alike,
  type ClauseProblem,
  firstIn,
  type ProblemItem,
  problemsOf,
  theRecording,
} from "./problems.ts";
import type { Report } from "./report.ts";
import { hanging, painter, someOf, type Terminal } from "./terminal.ts";
import { exchangeLine } from "./text-trace.ts";

const mostClauses = 25;

const mostItems = 3;

export function violations(report: Report, terminal: Terminal): string[] {
  const paint = painter(terminal);
  const problems = problemsOf(report, "fail");
  const shown = problems
    .slice(0, mostClauses)
    .flatMap((problem) => [
      "",
      ...clauseHead(paint("red", problem.id === theRecording.id ? "DIFFERS" : "FAILED"), problem, terminal),
      ...itemsOf(problem, terminal),
    ]);
  const rest = problems.slice(mostClauses);
  const more =
    rest.length === 0
      ? []
      : [
          "",
          ...hanging(
            "FAILED  ",
            `and ${counted(rest.length, "clause")} more: ${rest.map(({ id }) => id).join(" ")}`,
            terminal.columns,
          ),
        ];
  return [...shown.slice(1), ...more];
}

function clauseHead(
  word: string,
  { id, clause, followsFrom }: ClauseProblem,
  { columns }: Terminal,
): string[] {
  const statement = clause?.statement ?? "a clause of another register";
  const name = id === theRecording.id ? "" : `${id}  `;
  const [first = "", ...others] = hanging(`FAILED  ${name}`, statement, columns);
  const where = clause?.where === undefined ? [] : hanging("        found in   ", clause.where, columns);
  const promise =
    clause?.promise === undefined
      ? []
      : hanging("        ", `required because the profile says ${printable(clause.promise)}`, columns);
  const cause = followsFrom === undefined ? [] : [`        probably follows from ${followsFrom}`];
  const incidents = (clause?.elsewhere ?? [])
    .slice(0, 1)
    .flatMap((incident) => hanging("        elsewhere  ", elsewhereLine(incident), columns));
  return [first.replace("FAILED", () => word), ...others, ...where, ...promise, ...cause, ...incidents];
}

function itemsOf({ items, shownWith }: ClauseProblem, terminal: Terminal): string[] {
  if (items.length === 0) return hanging("        ", `shown with ${shownWith.join(", ")}`, terminal.columns);
  const groups = alike(items);
  const rest = groups.slice(mostItems);
  const others = [...new Set(rest.flatMap(({ rows }) => rows))];
  const names = others.length === 0 ? "" : `: ${someOf(others, 6)}`;
  return [
    ...groups.slice(0, mostItems).flatMap(({ item, rows }) => itemLines(item, rows.slice(1), terminal)),
    ...(rest.length === 0
      ? []
      : hanging("        ", `and ${counted(rest.length, "difference")} more${names}`, terminal.columns)),
  ];
}

function itemLines(item: ProblemItem, others: readonly string[], terminal: Terminal): string[] {
  const {
    row,
    said,
    evidence,
    again,
    pointer,
    expected,
    actual,
    request,
    place,
    step,
    also,
    count,
    drawing = [],
    about = [],
    expectedBy,
  } = item;
  const say = (label: string, text: string): string[] =>
    hanging(`          ${label.padEnd(8)} `, text, terminal.columns);
  const at = pointer === "" ? "" : `${printable(pointer)}: `;
  const seen = request === undefined ? "" : ` · ${printable(request)}`;
  const where = place === undefined ? [] : [`${printable(place)} · step ${printable(step ?? "")}${seen}`];
  return [
    ...(row === undefined
      ? hanging("        ", `every reply × ${count}${firstIn(evidence)}${seen}`, terminal.columns)
      : hanging("        ", printable(`${row.id}: ${row.title}`), terminal.columns)),
    ...say("expected", at + printable(shortened(expected, 600))),
    ...say("was", printable(shortened(actual, 600))),
    ...(said === undefined ? [] : say("it said", printable(shortened(said, 600)))),
    ...drawing.map((line) => `                   ${printable(line)}`),
    ...where.flatMap((text) => say("where", text)),
    ...(also.length === 0 ? [] : say("also", someOf(also, 6))),
    ...(about.length === 0 ? [] : say("about", someOf(about, 6))),
    ...(expectedBy === undefined ? [] : say("known", `expected by ${printable(expectedBy)}`)),
    ...(others.length === 0 ? [] : say("alike in", someOf(others, 4))),
    ...(row?.reason === undefined ? [] : say("note", printable(shortened(row.reason, 600)))),
    ...exchangesOf(evidence).flatMap(([label, text]) => say(label, printable(text))),
    ...(again === undefined ? [] : [`          again    ${printable(again)}`]),
  ];
}

/** The exchange that broke a rule, after the one before of the same order. */
function exchangesOf({ exchanges = [] }: Partial<RuleEvidence> = {}): [string, string][] {
  return exchanges.map((exchange, at) => [
    at === exchanges.length - 1 ? "exchange" : "before",
    exchangeLine(exchange),
  ]);
}
