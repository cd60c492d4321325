import { counted } from "../../model/counted.ts";
import { leftOpen } from "../left-open.ts";
import { problemsOf } from "../problems.ts";
import { remarks } from "../remarks.ts";
import type { Report } from "../report.ts";
import { commandBlock, differenceBlock } from "./differences.ts";
import { anchor, type Markup, markup } from "./markup.ts";
import { caseOutcomes, clauseOutcomeOrder, outcomeTag, signOf } from "./outcomes.ts";

/** The verdict, the target and the counts: rows that did not run are as visible as rows that passed. */
export function banner(report: Report): Markup {
  const { verdict, target, summary, reason } = report;
  const counts = caseOutcomes.map(
    (outcome) =>
      markup`<li class="${summary.cases[outcome] === 0 ? "zero" : ""}"><a href="#cases-${outcome}"><b>${summary.cases[outcome]}</b> ${outcomeTag(outcome)}</a></li>`,
  );
  return markup`<header class="banner ${kindOf(verdict)}">
<p class="product">Gatewright ${report.subject === "client" ? "exam of a client" : "conformance report"}</p>
<h1>${words[verdict]}</h1>
<p class="reason">${target.name} ${scopeOf(report)}: ${reason}.</p>
${causeBox(report)}
${leftOpenBox(report)}
${remarks(report).map((sentence) => markup`<p class="remark">${sentence}</p>`)}
${meter(report)}
<ul class="counts" aria-label="Cases by outcome">${counts}</ul>
<nav aria-label="Parts of the report"><a href="#clauses">Clauses</a> <a href="#cases">Cases</a> <a href="#behaviour">Behaviour</a> <a href="#environment">Environment</a></nav>
</header>`;
}

function scopeOf({ subject, rules, level }: Report): Markup {
  if (subject === "client")
    return rules.selection === true
      ? markup`in the situations that were selected`
      : markup`in all situations of its tasks`;
  return rules.ownScenarios === true ? markup`with scenarios of its own` : markup`at level <b>${level}</b>`;
}

/** The first of the violated clauses, which are in the order of likely causes, with what shows it and what follows from it. */
function causeBox(report: Report): Markup | undefined {
  const [cause, ...others] = problemsOf(report, "fail");
  if (cause === undefined) return undefined;
  const { id, clause, items, shownWith } = cause;
  const [item] = items;
  const rows = new Set(items.flatMap(({ row }) => row?.id ?? []));
  const follows = others.filter(({ followsFrom }) => followsFrom === id);
  const links = (ids: readonly string[], kind: string): Markup =>
    markup`${ids.slice(0, 8).map((name) => markup`<a href="#${anchor(kind, name)}">${name}</a> `)}${ids.length > 8 ? `and ${ids.length - 8} more` : ""}`;
  const seen =
    rows.size > 0
      ? markup`Seen in ${links([...rows], "case")}`
      : markup`${item === undefined ? "Shown with " : `A rule of every reply, broken ${counted(item.count ?? 0, "time")}`}${links(shownWith, "problem")}`;
  return markup`<section class="card bad cause"><h2>${follows.length > 0 ? "Likely cause" : "Look here first"}</h2>
<p><a href="#${anchor("problem", id)}">${id}</a> ${clause?.statement}</p>
${item && differenceBlock(item)}
<p class="more">${seen}${
    follows.length === 0
      ? undefined
      : markup`; from it probably follow ${links(
          follows.map((other) => other.id),
          "problem",
        )}`
  }</p>
${item?.again && commandBlock("Run it again", "again", item.again)}
</section>`;
}

/** As prominent as a violation: the orders tie up money until the owner cancels them. */
function leftOpenBox(report: Report): Markup | undefined {
  const left = leftOpen(report);
  if (left === undefined) return undefined;
  const list = (orders: readonly string[]): Markup =>
    markup`<ul>${orders.map((order) => markup`<li><code>${order}</code></li>`)}</ul>`;
  const [first, others] = [left.orders.slice(0, mostAtOnce), left.orders.slice(mostAtOnce, mostOrders)];
  const beyond = left.orders.length - first.length - others.length;
  const more =
    others.length === 0
      ? undefined
      : markup`<details><summary>${others.length} more</summary>${list(others)}</details>`;
  return markup`<section class="card bad left-open" id="left-open"><h2>Left open: ${left.what}</h2>
${list(first)}${more}
${beyond === 0 ? undefined : markup`<p>and ${beyond} more: all of them are in report.json</p>`}
<p><b>${left.advice}</b></p></section>`;
}

const mostAtOnce = 6;
const mostOrders = 200;

/**
 * The required clauses of the level as one bar. It is an SVG and not a style, because the page's policy allows no
 * inline style.
 */
function meter(report: Report): Markup {
  const claimed = report.clauses.filter((clause) => clause.claimed);
  const { verified, total } = report.summary.claimed;
  let x = 0;
  const bars = clauseOutcomeOrder.flatMap((outcome) => {
    const count = claimed.filter((clause) => clause.outcome === outcome).length;
    if (count === 0) return [];
    const [kind, , word] = signOf(outcome);
    const width = (count / Math.max(total, 1)) * 1000;
    const bar = markup`<rect class="fill-${kind}" x="${x.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="10"><title>${count} ${word}</title></rect>`;
    x += width;
    return [bar];
  });
  return markup`<figure class="meter"><svg viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="${verified} of ${total} required clauses verified">${bars}</svg>
<figcaption><b>${verified}</b> of <b>${total}</b> required clauses of this level verified</figcaption></figure>`;
}

const words: Readonly<Record<Report["verdict"], string>> = {
  CONFORMANT: "Conformant",
  CONFORMANT_WITH_WARNINGS: "Conformant, with warnings",
  PASSED: "Passed",
  DIFFERENT: "Different from the recording",
  NON_CONFORMANT: "Not conformant",
  INCOMPLETE: "Incomplete",
  ERROR: "Error of the kit",
};

function kindOf(verdict: Report["verdict"]): string {
  if (verdict === "CONFORMANT" || verdict === "PASSED") return "good";
  if (verdict === "CONFORMANT_WITH_WARNINGS") return "warn";
  return verdict === "INCOMPLETE" ? "open" : "bad";
}
