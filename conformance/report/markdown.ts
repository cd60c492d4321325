import { counted } from "../model/counted.ts";
import { behaviourSheet } from "./behaviour.ts";
import { leftOpen } from "./left-open.ts";
import { markdown, shortened } from "./printable.ts";
import {
  blockedReasons,
  type ClauseProblem,
  firstIn,
  openClauses,
  type ProblemItem,
  problemsOf,
  titleOf,
} from "./problems.ts";
import { remarks } from "./remarks.ts";
import type { Report } from "./report.ts";
import { someOf } from "./terminal.ts";
import { exchangeLine } from "./text-trace.ts";

/** For the summary of a CI step or a comment: verdict, counts, and one table row per clause that needs attention. */
export function markdownReport(report: Report): string {
  const { cases, claimed, requests, orders } = report.summary;
  const counts = [
    ["passed", cases.passed],
    ["failed", cases.failed],
    ["warned", cases.warned],
    ["blocked", cases.blocked],
    ["not applicable", cases.notApplicable],
    ["filtered", cases.filtered],
    ["errors", cases.error],
  ] as const;
  return [
    `## ${icon(report)} ${markdown(report.verdict)} ${scopeOf(report)}`,
    "",
    `${markdown(report.target.name)}: ${markdown(report.reason)}. ${claimed.verified} of ${claimed.total} required clauses verified with ${counted(requests, "request")} and ${counted(orders, "order")} in ${(report.durationMs / 1000).toFixed(1)} s (kit ${markdown(report.kit)}, seed ${report.seed}).`,
    ...leftOpenLines(report),
    ...remarks(report).flatMap((sentence) => ["", markdown(sentence)]),
    "",
    `| ${counts.map(([name]) => name).join(" | ")} |`,
    `|${"---:|".repeat(counts.length)}`,
    `| ${counts.map(([, count]) => count).join(" | ")} |`,
    ...problemTable(report, "fail", "Violated"),
    ...problemTable(report, "warn", "Warnings"),
    ...openTable(report),
    ...behaviourTable(report),
    "",
  ].join("\n");
}

function scopeOf({ subject, rules, level }: Report): string {
  if (subject === "client") return "in the exam of clients";
  return rules.ownScenarios === true ? "with own scenarios" : `at level ${markdown(level)}`;
}

function leftOpenLines(report: Report): string[] {
  const left = leftOpen(report);
  if (left === undefined) return [];
  return ["", `**LEFT OPEN: ${left.what}**: ${markdown(someOf(left.orders, 20))}; ${left.advice}`];
}

function problemTable(report: Report, severity: "fail" | "warn", title: string): string[] {
  const problems = problemsOf(report, severity);
  if (problems.length === 0) return [];
  const rows = problems.slice(0, 50).map(({ id, clause, items, shownWith, followsFrom }) => {
    const [first] = items;
    const at = first?.pointer ? `${markdown(first.pointer)}: ` : "";
    const ids = [...new Set(items.flatMap(({ row }) => (row === undefined ? [] : [row.id])))];
    const cause = followsFrom === undefined ? "" : `; probably follows from ${followsFrom}`;
    const seen = `${seenIn(ids, shownWith, first)}${cause}`;
    const where = clause?.where === undefined ? "" : ` (${markdown(clause.where)})`;
    return `| ${markdown(id)} | ${markdown(clause?.statement ?? "")}${where} | ${at}${cell(first?.expected)} | ${cell(first?.actual)}${said(first)} | ${markdown(seen)} |`;
  });
  const more = problems.length > 50 ? ["", `and ${problems.length - 50} more clauses`] : [];
  return [
    "",
    `### ${titleOf(problems, title)}`,
    "",
    "| Clause | Says | Expected | Was | Seen in |",
    "|---|---|---|---|---|",
    ...rows,
    ...more,
    ...againList(problems),
    ...elsewhereList(problems),
  ];
}

/** One line for each clause, of the ten that come first. */
function elsewhereList(problems: readonly ClauseProblem[]): string[] {
  const lines = problems.flatMap(({ id, clause }) =>
    (clause?.elsewhere ?? [])
      .slice(0, 1)
      .map(({ year, title, address }) => `- ${markdown(id)}: ${year}, [${markdown(title)}](${address})`),
  );
  return lines.length === 0 ? [] : ["", "What the same faults did elsewhere:", "", ...lines.slice(0, 10)];
}

function seenIn(
  ids: readonly string[],
  shownWith: readonly string[],
  { count = 0, evidence }: Partial<ProblemItem> = {},
): string {
  if (shownWith.length > 0) return `with ${shownWith.join(", ")}`;
  return ids.length === 0 ? `every reply × ${count}${firstIn(evidence)}` : someOf(ids, 3);
}

const said = (item: ProblemItem | undefined): string =>
  item?.said === undefined ? "" : ` (${cell(item.said)})`;

const mostCommands = 20;

/** For each clause the commands that show it again, and the exchanges that broke a rule for every answer. */
function againList(problems: readonly ClauseProblem[]): string[] {
  const lines = problems.slice(0, mostCommands).flatMap(({ id, items }) =>
    [...new Set([items[0], items.find(({ evidence }) => evidence !== undefined)])].flatMap((item) => {
      if (item?.again === undefined) return [];
      const exchanges = item.evidence?.exchanges ?? [];
      return [
        `- ${markdown(id)}: <code>${markdown(item.again)}</code>${markdown(firstIn(item.evidence))}`,
        ...exchanges.map((one) => `  - <code>${markdown(exchangeLine(one))}</code>`),
      ];
    }),
  );
  return lines.length === 0
    ? []
    : ["", "<details><summary>To see it again</summary>", "", ...lines, "", "</details>"];
}

function openTable(report: Report): string[] {
  const { blocked, untried, notSelected, notTried } = openClauses(report);
  const reasons = blockedReasons(report);
  if (reasons.length === 0 && blocked.length + untried.length + notSelected.length === 0) return [];
  const list = (clauses: typeof blocked): string => markdown(clauses.map(({ id }) => id).join(" "));
  return [
    "",
    "### Not verified",
    "",
    ...reasons.map(
      ({ reason, ids }) => `- ${ids.length} blocked: ${cell(reason)} (${markdown(someOf(ids, 3))})`,
    ),
    ...(blocked.length === 0 ? [] : [`- open: ${list(blocked)}`]),
    ...(untried.length === 0 ? [] : [`- no case in this run: ${list(untried)}`]),
    ...(notSelected.length === 0 ? [] : [`- no case in this selection: ${notSelected.length} clauses`]),
    ...(notTried.length === 0 ? [] : [`- not tried, although a violation does harm: ${list(notTried)}`]),
  ];
}

function behaviourTable(report: Report): string[] {
  const sheet = behaviourSheet(report);
  if (sheet.length === 0) return [];
  const rows = sheet.slice(0, 60).map(({ scenario, what, answers }) => {
    const said = answers.map(
      ({ value, rows: names }) =>
        `${cell(value)}${names.length === 0 ? "" : ` (${markdown(someOf(names, 4))})`}`,
    );
    return `| ${markdown(scenario)} | ${markdown(what)} | ${said.join("; ")} |`;
  });
  return [
    "",
    "<details><summary>How the target behaves where it has a choice</summary>",
    "",
    "| Case | What | Answer |",
    "|---|---|---|",
    ...rows,
    "",
    "</details>",
  ];
}

const cell = (text = ""): string => markdown(shortened(text, 200));

function icon({ verdict }: Report): string {
  if (verdict === "CONFORMANT_WITH_WARNINGS") return "🟡";
  if (verdict === "CONFORMANT" || verdict === "PASSED") return "🟢";
  return verdict === "INCOMPLETE" ? "⚪" : "🔴";
}
