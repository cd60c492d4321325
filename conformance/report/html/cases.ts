import type { TracedExchange } from "../../model/trace.ts";
import { againCommand, type Report, type ReportedCase, type ReportedFinding } from "../report.ts";
import { interleavings } from "../text-trace.ts";
import { commandBlock, differenceBlock } from "./differences.ts";
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
  const { id, title, outcome, durationMs, reason, trace, stderr, findings } = row;
  const [kind, sign, word] = signOf(outcome);
  const time = durationMs === 0 ? "" : `${durationMs} ms`;
  const attribute = open ? markup` open` : undefined;
  const { exchanges = [] } = trace ?? {};
  const places = findings.map((finding) => placeOf(finding, exchanges));
  const block = (exchange: TracedExchange | undefined): Markup => {
    const own = findings.filter((_, index) => places[index] === exchange);
    return exchange === undefined
      ? markup`${own.map(differenceBlock)}`
      : exchangeBlock(exchange, report.target.baseUrl, own, own.length > 0);
  };
  const others = exchanges.filter((exchange) => !places.includes(exchange));
  return markup`<details class="case ${kind}" id="${anchor("case", id)}" data-outcome="${word}"${attribute}>
<summary><i aria-hidden="true">${sign}</i><span class="name">${id}</span><span class="title">${title}</span><span class="time">${time}</span></summary>
<div class="body">
${reason === undefined ? undefined : markup`<p class="reason">${reason}</p>`}
${[undefined, ...exchanges.filter((exchange) => places.includes(exchange))].map(block)}
${outcome === "filtered" ? undefined : commandBlock("Run this case again", "again", againCommand(report, [id]))}
${facts(row)}
${stderr === undefined ? undefined : markup`<figure><figcaption>The end of its stderr</figcaption><pre>${stderr}</pre></figure>`}
${trace === undefined ? undefined : markup`${timeline(trace)}${interleavings(row).map((text) => markup`<figure><figcaption>Sent at the same time: which answers came before which requests</figcaption><pre class="diagram">${text}</pre></figure>`)}${others.map(block)}`}
</div></details>`;
}

/** The exchange that shows a finding: the last one of its step with its request; none if that may be another one. */
function placeOf(
  { step, request }: ReportedFinding,
  exchanges: readonly TracedExchange[],
): TracedExchange | undefined {
  const own = exchanges.filter((exchange) => exchange.step === step && exchange.detail !== undefined);
  if (request === undefined) return own.length === 1 ? own[0] : undefined;
  return own.findLast(({ method, path }) => request === `${method} ${path}`);
}

function facts(row: ReportedCase): Markup {
  const clauses = row.clauses.map((id) => markup`<a href="#${anchor("clause", id)}">${id}</a> `);
  return markup`<dl class="facts"><dt>clauses</dt><dd>${clauses}</dd><dt>scenario</dt><dd><code>${row.place}</code></dd>${Object.entries(row.observations).map(([what, value]) => markup`<dt>noted</dt><dd>${what}: <code>${value}</code></dd>`)}</dl>`;
}
