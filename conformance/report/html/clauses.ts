import { failsTheRun } from "../../model/expected-failure.ts";
import {
  alike,
  type ClauseProblem,
  firstIn,
  missingFor,
  openClauses,
  type ProblemItem,
  problemsOf,
  reasonsFor,
  titleOf,
} from "../problems.ts";
import type { Report, ReportedClause } from "../report.ts";
import { differenceBlock } from "./differences.ts";
import { exchangeBlock } from "./exchanges.ts";
import { filterBar } from "./filter-bar.ts";
import { anchor, type Markup, markup } from "./markup.ts";
import { clauseOutcomeOrder, outcomeTag, signOf } from "./outcomes.ts";

/** All clauses at a glance: one tile each, by area, whose number links to the clause. */
export function clauseMatrix(report: Report): Markup {
  const areas = new Map<string, ReportedClause[]>();
  for (const clause of report.clauses) {
    const area = clause.id.replace(/-[^-]*$/, "");
    areas.set(area, [...(areas.get(area) ?? []), clause]);
  }
  const rows = [...areas].map(
    ([area, clauses]) =>
      markup`<tr><th scope="row">${area}</th><td>${clauses.map((clause) => tile(area, clause))}</td></tr>`,
  );
  const legend = clauseOutcomeOrder.map(
    (outcome) => markup`<li>${outcomeTag(outcome)} <b>${report.summary.clauses[outcome]}</b></li>`,
  );
  return markup`<section aria-labelledby="matrix"><h2 id="matrix">Every clause at a glance</h2>
<ul class="legend">${legend}</ul>
${report.clauses.some(isAlias) ? markup`<p class="more">Numbers in italics are aliases: they repeat other clauses and are not counted.</p>` : undefined}
<table class="matrix"><tbody>${rows}</tbody></table></section>`;
}

function tile(area: string, clause: ReportedClause): Markup {
  const [kind, , word] = signOf(clause.outcome);
  const number = clause.id.slice(area.length + 1);
  const weight = isAlias(clause) ? "alias" : clause.claimed ? "claimed" : "";
  return markup`<a class="tile ${kind} ${weight}" href="#${anchor("clause", clause.id)}" title="${clause.id} ${word}${isAlias(clause) ? ` (repeats ${clause.aliasOf.join(", ")})` : ""}: ${clause.statement}">${number}</a>`;
}

/** The clauses to repair, and the clauses that are missing for a verdict. */
export function problemsSection(report: Report): Markup {
  const [failed, warned] = [problemsOf(report, "fail"), problemsOf(report, "warn")];
  const { violated } = report.summary.clauses;
  const { baseUrl } = report.target;
  const violations = {
    title: titleOf(failed, "Violated clauses"),
    kind: "bad",
    count: violated === 0 ? failed.length : violated,
    note: violatedAliases(report),
  };
  const warnings = { title: "Warnings", kind: "warn", count: warned.length };
  return markup`${problemList(failed, baseUrl, violations)}${problemList(warned, baseUrl, warnings)}${expectationList(report)}${openList(report)}`;
}

const isAlias = ({ aliasOf }: ReportedClause): boolean => aliasOf.length > 0;

function violatedAliases(report: Report): Markup {
  const lines = report.clauses
    .filter((clause) => isAlias(clause) && clause.outcome === "violated")
    .map(
      ({ id, aliasOf }) =>
        markup`<p class="more">Violated with them, and not counted: <a href="#${anchor("clause", id)}">${id}</a>, which repeats ${aliasOf.join(", ")}.</p>`,
    );
  return markup`${lines}`;
}

interface Heading {
  readonly title: string;
  readonly kind: string;
  readonly count: number;
  readonly note?: Markup;
}

function problemList(
  problems: readonly ClauseProblem[],
  baseUrl: string,
  { title, kind, count, note }: Heading,
): Markup {
  if (problems.length === 0) return markup``;
  const cards = problems.map(
    ({
      id,
      clause,
      items,
      shownWith,
      followsFrom,
    }) => markup`<article class="card ${kind}" id="${anchor("problem", id)}">
<h3><a href="#${anchor("clause", id)}">${id}</a> ${clause?.statement}</h3>
${clause?.where === undefined ? undefined : markup`<p class="where">Source: ${clause.where}</p>`}
${followsFrom === undefined ? undefined : markup`<p class="more">Probably follows from <a href="#${anchor("clause", followsFrom)}">${followsFrom}</a></p>`}
${shownWith.length === 0 ? undefined : markup`<p class="more">Shown with ${shownWith.map((other) => markup`<a href="#${anchor("clause", other)}">${other}</a> `)}</p>`}
${groupBlocks(items, baseUrl)}
${incidentList(clause?.elsewhere)}
</article>`,
  );
  return markup`<section><h2>${title} <small>${count}</small></h2>${note}${cards}</section>`;
}

function incidentList(incidents: ReportedClause["elsewhere"]): Markup | undefined {
  if (incidents === undefined) return undefined;
  const rows = incidents.map(
    ({ year, title, what, address }) =>
      markup`<li>${year}: <a href="${address}" rel="noreferrer">${title}</a>. ${what}</li>`,
  );
  return markup`<details class="more"><summary>What the same fault did elsewhere</summary><ul>${rows}</ul></details>`;
}

function groupBlocks(items: readonly ProblemItem[], baseUrl: string): Markup[] {
  const groups = alike(items);
  const blocks = groups.slice(0, 4).map(({ item, rows }) => itemBlock(item, rows.slice(1), baseUrl));
  const rest = [...new Set(groups.slice(4).flatMap(({ rows }) => rows))];
  if (groups.length <= 4) return blocks;
  return [
    ...blocks,
    markup`<p class="more">and ${groups.length - 4} differences more: ${caseLinks(rest)}</p>`,
  ];
}

function itemBlock(item: ProblemItem, others: readonly string[], baseUrl: string): Markup {
  const { row, count, request, evidence, again, pointer, expected, actual, said } = item;
  const name = row === undefined ? markup`every reply × ${count}${firstIn(evidence)}` : caseLinks([row.id]);
  const difference = { pointer, expected, actual, ...(said === undefined ? {} : { said }) };
  const { exchanges = [] } = evidence ?? {};
  const shown = exchanges.map((exchange, index) =>
    exchangeBlock(exchange, baseUrl, index === exchanges.length - 1 ? [difference] : []),
  );
  return markup`<div class="finding"><p class="seen">${name} ${request === undefined ? undefined : markup`<code>${request}</code>`}</p>${differenceBlock(difference)}${shown}${again === undefined ? undefined : markup`<p class="more">again <code>${again}</code></p>`}${others.length === 0 ? undefined : markup`<p class="more">alike in ${caseLinks(others)}</p>`}</div>`;
}

function caseLinks(ids: readonly string[]): Markup {
  const links = ids
    .slice(0, 12)
    .map((id, index) => markup`${index === 0 ? "" : ", "}<a href="#${anchor("case", id)}">${id}</a>`);
  return markup`${links}${ids.length > 12 ? ` and ${ids.length - 12} more` : ""}`;
}

/** The entries of the expectation file, and those that no longer hold. */
function expectationList({ expectations = [] }: Report): Markup {
  if (expectations.length === 0) return markup``;
  const lines = expectations.map(
    (entry) =>
      markup`<li>${failsTheRun(entry) ? outcomeTag("failed") : undefined} <b>${entry.status}</b> ${entry.subject.id}: ${entry.detail} <span class="supply">${entry.reason}${entry.issue === undefined ? "" : ` (${entry.issue})`}, ${entry.place}</span></li>`,
  );
  return markup`<section><h2>Expected failures <small>${expectations.length}</small></h2><ul class="open-list">${lines}</ul></section>`;
}

function openList(report: Report): Markup {
  const { blocked, untried, notSelected, notTried } = openClauses(report);
  const supply = (clause: ReportedClause): readonly string[] =>
    clause.notTried === true ? reasonsFor(report, clause) : missingFor(report, clause);
  const line = (clause: ReportedClause): Markup =>
    markup`<li><a href="#${anchor("clause", clause.id)}">${clause.id}</a> ${clause.statement}${clause.cases.length === 0 ? " No case of this run tests it." : ""}${supply(clause).length === 0 ? undefined : markup` <span class="supply">Because: ${supply(clause).join("; ")}.</span>`}</li>`;
  const list = (title: string, clauses: readonly ReportedClause[]): Markup | undefined =>
    clauses.length === 0
      ? undefined
      : markup`<section><h2>${title} <small>${clauses.length}</small></h2><ul class="open-list">${clauses.map(line)}</ul></section>`;
  return markup`${list("Required and not verified", [...blocked, ...untried])}${list("Required and not in this selection", notSelected)}${list("Not tried, although a violation does harm", notTried)}`;
}

/** The register with the outcome of each clause: statement and place on the left, verdict on the right. */
export function clausesSection(report: Report): Markup {
  const rows = report.clauses.map((clause) => {
    const { id, level, outcome, statement, where, aliasOf, cases } = clause;
    return markup`<tr id="${anchor("clause", id)}" data-outcome="${signOf(outcome)[2]}">
<th scope="row">${id}</th>
<td><p>${statement}</p><p class="where">${where}${aliasOf.length === 0 ? undefined : ` · says the same as ${aliasOf.join(", ")}`}</p>${cases.length === 0 ? undefined : markup`<p class="cases">${caseLinks(cases)}</p>`}</td>
<td class="level">${level}<br><small title="${clause.why}">${clause.basis}</small>${clause.promise === undefined ? undefined : markup`<br><small>required because the profile says <code>${clause.promise}</code></small>`}${clause.claimed ? markup`<br><small>counts here</small>` : undefined}</td>
<td>${outcomeTag(outcome)}</td>
</tr>`;
  });
  return markup`<section id="clauses" data-filter="clauses"><h2>Clauses <small>${report.clauses.length}</small></h2>
${filterBar(
  "clauses",
  clauseOutcomeOrder.map((outcome) => signOf(outcome)[2]),
)}
<table class="register"><thead><tr><th scope="col">Clause</th><th scope="col">Statement, place, tests</th><th scope="col">Level</th><th scope="col">Outcome</th></tr></thead><tbody>${rows}</tbody></table></section>`;
}
