import type { DriftReport } from "../drift.ts";
import { htmlPage } from "../report/html/frame.ts";
import { type Markup, markup } from "../report/html/markup.ts";
import { shortened } from "../report/printable.ts";
import { casesText, driftSummary, driftVerdict, driftWarnings } from "./drift-text.ts";

/** The same as a page, in the frame of the other reports. */
export function driftHtml(report: DriftReport): string {
  const { a, b, differences, accepted, unused, latency, notCompared } = report;
  const verdict = driftVerdict(report);
  const warnings = driftWarnings(report).map((text) => markup`<p class="remark">${shortened(text, 400)}</p>`);
  const banner = markup`<header class="banner ${verdict === "NO DRIFT" && warnings.length === 0 ? "good" : "bad"}">
<p class="product">Gatewright drift</p>
<h1>${headings[verdict]}</h1>
<p class="reason">a: ${a.name} at ${a.baseUrl}; b: ${b.name} at ${b.baseUrl}.</p>
<p class="remark">${driftSummary(report)}.</p>
${warnings}
</header>`;
  return htmlPage({
    title: `${a.name} and ${b.name}`,
    name: "differences",
    banner,
    body: [
      section(
        "differences",
        "Differences",
        ["Where", "a", "b", "Cases"],
        differences.map(({ where, a: one, b: other, cases }) => [where, one, other, casesText(cases)]),
      ),
      section(
        "accepted",
        "Accepted",
        ["Where", "a", "b", "Reason"],
        accepted.map(({ where, a: one, b: other, reason }) => [where, one, other, reason]),
      ),
      section(
        "unused",
        "Accepted, and not needed",
        ["Where", "Entry"],
        unused.map(({ where, place }) => [where, place]),
      ),
      section(
        "latency",
        "Latency",
        ["Operation", "a", "b"],
        latency.map((one) => [one.operation, one.a, one.b]),
      ),
      section(
        "not-compared",
        "Not compared",
        ["Case", "a", "b"],
        notCompared.map((one) => [one.id, one.a, one.b]),
      ),
    ].filter((part) => part !== undefined),
  });
}

const headings = { DRIFT: "Drift", "NO DRIFT": "No drift", "NOTHING COMPARED": "Nothing compared" } as const;

function section(
  id: string,
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
): Markup | undefined {
  if (rows.length === 0) return undefined;
  const head = heads.map((name) => markup`<th scope="col">${name}</th>`);
  const body = rows.map(
    ([first = "", ...others]) =>
      markup`<tr><th scope="row">${shortened(first, 400)}</th>${others.map((text) => markup`<td>${shortened(text, 400)}</td>`)}</tr>`,
  );
  return markup`<section id="${id}"><h2>${title}</h2><table class="behaviour"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></section>`;
}
