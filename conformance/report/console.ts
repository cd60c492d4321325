import { counted } from "../model/counted.ts";
import { failsTheRun } from "../model/expected-failure.ts";
import { printable } from "../model/printable.ts";
import { behaviourSheet } from "./behaviour.ts";
import { violations } from "./console-violations.ts";
import { leftOpen } from "./left-open.ts";
import { shortened } from "./printable.ts";
import { blockedReasons, firstIn, missingFor, openClauses, problemsOf, reasonsFor } from "./problems.ts";
import { remarks } from "./remarks.ts";
import type { Report } from "./report.ts";
import { hanging, painter, plainTerminal, someOf, type Terminal } from "./terminal.ts";

/**
 * The report for people. Violated clauses come first and in full: statement, place in the document, finding,
 * expectation, and the command to repeat the case. Then warnings, then unverified clauses with advice, then the
 * target's behaviour where it has a choice. The verdict is the last line, next to the prompt.
 */
export function consoleReport(report: Report, terminal: Terminal = plainTerminal): string {
  const sections = [
    violations(report, terminal),
    errors(report, terminal),
    expectations(report, terminal),
    warnings(report, terminal),
    unverified(report, terminal),
    behaviour(report, terminal),
    summary(report, terminal),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function errors(report: Report, terminal: Terminal): string[] {
  return report.cases
    .filter(({ outcome }) => outcome === "error")
    .flatMap((row) =>
      hanging("ERROR   ", printable(`${row.id}: ${shortened(row.reason ?? "", 2000)}`), terminal.columns),
    );
}

/** Entries that do not hold fail the run; each has a sentence with advice. */
function expectations(report: Report, terminal: Terminal): string[] {
  return (report.expectations ?? [])
    .filter(failsTheRun)
    .flatMap(({ place, status, detail }) =>
      hanging("EXPECT  ", printable(`${place} (${status}): ${detail}`), terminal.columns),
    );
}

function warnings(report: Report, terminal: Terminal): string[] {
  const paint = painter(terminal);
  return problemsOf(report, "warn").flatMap(({ id, clause, items }) => {
    const [first] = items;
    if (first === undefined) return [];
    const rows = [...new Set(items.flatMap(({ row }) => (row === undefined ? [] : [row.id])))];
    const at = first.pointer === "" ? "" : `${printable(first.pointer)} `;
    const said = first.said === undefined ? "" : `: ${printable(shortened(first.said, 200))}`;
    const seen =
      rows.length === 0 ? `every reply × ${first.count}${firstIn(first.evidence)}` : someOf(rows, 3);
    const [head = "", ...others] = hanging(`WARNED  ${id}  `, clause?.statement ?? "", terminal.columns);
    return [
      head.replace("WARNED", () => paint("yellow", "WARNED")),
      ...others,
      ...hanging(
        "          ",
        `${at}expected ${printable(shortened(first.expected, 200))}, was ${printable(shortened(first.actual, 200))}${said} (${seen})`,
        terminal.columns,
      ),
      ...(first.again === undefined ? [] : [`          again ${printable(first.again)}`]),
    ];
  });
}

function unverified(report: Report, terminal: Terminal): string[] {
  const paint = painter(terminal);
  const reasons = blockedReasons(report).flatMap(({ reason, ids }) => {
    const [head = "", ...others] = hanging(
      `BLOCKED ${ids.length} × `,
      `${printable(reason)} (${someOf(ids, 3)})`,
      terminal.columns,
    );
    return [head.replace("BLOCKED", () => paint("yellow", "BLOCKED")), ...others];
  });
  const { blocked, untried, notSelected, notTried } = openClauses(report);
  const list = (clauses: typeof blocked): string => clauses.map(({ id }) => id).join(" ");
  const supplies = (sentences: readonly string[]): string[] =>
    [...new Set(sentences)].flatMap((text) => hanging("          because  ", text, terminal.columns));
  return [
    ...reasons,
    ...(blocked.length === 0
      ? []
      : hanging(
          "OPEN    ",
          `${counted(blocked.length, "required clause")} could not be verified: ${list(blocked)}`,
          terminal.columns,
        )),
    ...supplies(blocked.flatMap((clause) => missingFor(report, clause).map(printable))),
    ...(untried.length === 0
      ? []
      : hanging(
          "OPEN    ",
          `${counted(untried.length, "required clause has", "required clauses have")} no case in this run: ${list(untried)}`,
          terminal.columns,
        )),
    ...(notSelected.length === 0
      ? []
      : hanging(
          "OPEN    ",
          `${counted(notSelected.length, "required clause has", "required clauses have")} no case in this selection`,
          terminal.columns,
        )),
    ...(notTried.length === 0
      ? []
      : hanging(
          "UNTRIED ",
          `${counted(notTried.length, "clause")} whose violation does harm; the profile does not supply what they need: ${list(notTried)}`,
          terminal.columns,
        )),
    ...supplies(notTried.flatMap((clause) => reasonsFor(report, clause).map(printable))),
  ];
}

const mostBehaviours = 20;

function behaviour(report: Report, terminal: Terminal): string[] {
  const sheet = behaviourSheet(report);
  if (sheet.length === 0) return [];
  const paint = painter(terminal);
  const lines = sheet.slice(0, mostBehaviours).flatMap(({ scenario, what, answers }) => {
    const said = answers.map(({ value, rows }) => {
      const which = rows.length === 0 ? "" : ` (${someOf(rows, 4)})`;
      return `${printable(shortened(value, 80))}${which}`;
    });
    return hanging("        ", `${printable(`${scenario} ${what}`)}: ${said.join(" · ")}`, terminal.columns);
  });
  const more = sheet.length - mostBehaviours;
  return [
    `${paint("cyan", "NOTED")}   how the target behaves where the specification leaves it a choice`,
    ...lines,
    ...(more > 0 ? [`        … and ${more} more in the reports`] : []),
  ];
}

function summary(report: Report, terminal: Terminal): string[] {
  const { cases, claimed, requests, orders } = report.summary;
  const counts = [
    `${cases.passed} passed`,
    `${cases.failed} failed`,
    `${cases.warned} warned`,
    `${cases.blocked} blocked`,
    `${cases.notApplicable} not applicable`,
    `${cases.filtered} filtered`,
    counted(cases.error, "error"),
  ].join(", ");
  const clauses =
    report.rules.ownScenarios === true
      ? ""
      : `${claimed.verified} of ${claimed.total} required clauses verified; `;
  const seconds = (report.durationMs / 1000).toFixed(1);
  const left = report.leftovers.map(({ id }) => id);
  const verdict = painter(terminal)(colourOf(report), report.verdict);
  const rest = left.length === 0 ? "" : `; ${counted(left.length, "order is", "orders are")} left open`;
  const text = `${scopeOf(report)} ${printable(report.target.name)}: ${printable(report.reason)}${rest}`;
  const [last = "", ...others] = hanging(`${report.verdict} `, text, terminal.columns);
  return [
    counts,
    `${clauses}${counted(requests, "request")}, ${counted(orders, "order")}, ${seconds} s, seed ${report.seed}`,
    ...(report.extra === undefined
      ? []
      : [
          `clauses of your own, not part of the verdict: ${report.extra.passed} passed, ${report.extra.failed} failed, ${report.extra.blocked} blocked`,
        ]),
    ...leftOpenLines(report, terminal),
    ...remarks(report).flatMap((sentence) =>
      hanging("", sentence, terminal.columns).map((line) => painter(terminal)("yellow", line)),
    ),
    last.replace(report.verdict, () => verdict),
    ...others.map((line) => line.trimStart()),
  ];
}

function scopeOf({ subject, rules, level }: Report): string {
  if (subject === "client") return "in the exam of";
  return rules.ownScenarios === true ? "own scenarios against" : `at level ${level} of`;
}

function leftOpenLines(report: Report, terminal: Terminal): string[] {
  const left = leftOpen(report);
  if (left === undefined) return [];
  const text = `${left.what}: ${someOf(left.orders, 5)}; ${left.advice}`;
  const [first = "", ...others] = hanging("LEFT OPEN ", text, terminal.columns);
  return [first.replace("LEFT OPEN", () => painter(terminal)("red", "LEFT OPEN")), ...others];
}

function colourOf({ verdict }: Report): "green" | "yellow" | "red" {
  if (verdict === "CONFORMANT" || verdict === "PASSED") return "green";
  return verdict === "INCOMPLETE" || verdict === "CONFORMANT_WITH_WARNINGS" ? "yellow" : "red";
}
