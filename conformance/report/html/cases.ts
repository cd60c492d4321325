import { againCommand, type Report, type ReportedCase } from "../report.ts";
import { interleavings } from "../text-trace.ts";
import { differenceTable } from "./clauses.ts";
import { exchangeBlock, timeline } from "./exchanges.ts";
import { filterBar } from "./filter-bar.ts";
import { anchor, type Markup, markup } from "./markup.ts";
import { caseOutcomes, outcomeTag, signOf } from "./outcomes.ts";

/** Every row, grouped by outcome; groups that need attention come first and are open. */
export function casesSection(report: Report): Markup {
  const groups = caseOutcomes.map((outcome) => {
    const rows = report.cases.filter((row) => row.outcome === outcome);
    if (rows.length === 0) return markup`<div id="cases-${outcome}"></div>`;
    const open = outcome === "failed" || outcome === "error" || outcome === "warned";
    return markup`<div id="cases-${outcome}" class="group"><h3>${outcomeTag(outcome)} <small>${rows.length}</small></h3>${rows.map((row, index) => caseBlock(row, report, open && index < 20))}</div>`;
  });
  return markup`<section id="cases" data-filter="cases"><h2>Cases <small>${report.cases.length}</small></h2>
${filterBar(
  "cases",
  caseOutcomes.map((outcome) => signOf(outcome)[2]),
)}
${groups}</section>`;
}

function caseBlock(row: ReportedCase, report: Report, open: boolean): Markup {
  const { id, title, outcome, durationMs, reason } = row;
  const [kind, sign, word] = signOf(outcome);
  const time = durationMs === 0 ? "" : `${durationMs} ms`;
  const attribute = open ? markup` open` : undefined;
  return markup`<details class="case ${kind}" id="${anchor("case", id)}" data-outcome="${word}"${attribute}>
<summary><i aria-hidden="true">${sign}</i><span class="name">${id}</span><span class="title">${title}</span><span class="time">${time}</span></summary>
<div class="body">
${reason === undefined ? undefined : markup`<p class="reason">${reason}</p>`}
${facts(row, report)}
${row.findings.map(finding)}
${row.stderr === undefined ? undefined : markup`<figure><figcaption>The end of its stderr</figcaption><pre>${row.stderr}</pre></figure>`}
${row.trace === undefined ? undefined : markup`${timeline(row.trace)}${interleavings(row).map((text) => markup`<figure><figcaption>Sent at the same time: which answers came before which requests</figcaption><pre class="diagram">${text}</pre></figure>`)}${row.trace.exchanges.map((exchange) => exchangeBlock(exchange, report.target.baseUrl))}`}
</div></details>`;
}

function facts(row: ReportedCase, report: Report): Markup {
  const clauses = row.clauses.map((id) => markup`<a href="#${anchor("clause", id)}">${id}</a> `);
  const ran = row.outcome !== "filtered";
  return markup`<dl class="facts"><dt>clauses</dt><dd>${clauses}</dd><dt>scenario</dt><dd><code>${row.place}</code></dd>${ran ? markup`<dt>again</dt><dd><code>${againCommand(report, [row.id])}</code></dd>` : undefined}${Object.entries(row.observations).map(([what, value]) => markup`<dt>noted</dt><dd>${what}: <code>${value}</code></dd>`)}</dl>`;
}

const strengths = { fail: "failed", warn: "warned", info: "passed" } as const;

function finding(item: ReportedCase["findings"][number]): Markup {
  const {
    severity,
    clauses,
    step,
    request,
    pointer,
    expected,
    actual,
    said,
    drawing = [],
    expectedBy,
  } = item;
  return markup`<div class="finding"><p class="seen">${severity === "info" ? "noted" : outcomeTag(strengths[severity])} ${clauses.map((id) => markup`<a href="#${anchor("clause", id)}">${id}</a> `)} step <b>${step}</b> ${request === undefined ? undefined : markup`<code>${request}</code>`}</p>${differenceTable({ pointer, expected, actual, said })}${expectedBy === undefined ? undefined : markup`<p class="more">Expected by ${expectedBy}</p>`}${drawing.length === 0 ? undefined : markup`<pre>${drawing.join("\n")}</pre>`}</div>`;
}
