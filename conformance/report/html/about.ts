/**
 * The sections without a judgement: the target's behaviour where it has a choice, and the place and parameters of the
 * run.
 */
import { behaviourSheet } from "../behaviour.ts";
import { shortened } from "../printable.ts";
import type { Report } from "../report.ts";
import { type Markup, markup } from "./markup.ts";

export function behaviourSection(report: Report): Markup {
  const rows = behaviourSheet(report).map(({ scenario, title, what, answers }) => {
    const said = answers.map(
      ({ value, rows: names }) =>
        markup`<li><code>${shortened(value, 400)}</code>${names.length === 0 ? undefined : markup` <small>${names.join(", ")}</small>`}</li>`,
    );
    return markup`<tr><th scope="row">${scenario}<small>${title}</small></th><td>${what}</td><td><ul>${said}</ul></td></tr>`;
  });
  const table =
    rows.length === 0
      ? markup`<p>Nothing was noted in this run.</p>`
      : markup`<table class="behaviour"><thead><tr><th scope="col">Case</th><th scope="col">What</th><th scope="col">Answer</th></tr></thead><tbody>${rows}</tbody></table>`;
  return markup`<section id="behaviour"><h2>Behaviour sheet</h2><p class="lead">How this target behaves where the specification leaves it a choice. None of this is a violation.</p>${table}</section>`;
}

export function environmentSection(report: Report): Markup {
  const { target, summary, leftovers } = report;
  const facts: readonly (readonly [string, string])[] = [
    ["target", target.name],
    ["base address", target.baseUrl],
    ...Object.entries(target.notes),
    ["started", report.startedAt],
    ["duration", `${(report.durationMs / 1000).toFixed(1)} s`],
    ["sent", `${summary.requests} requests, ${summary.orders} orders`],
    ["level", report.level],
    ["seed", String(report.seed)],
    ["kit", report.kit],
    ...Object.entries(report.environment),
    ["command", report.command],
    ["exit code", String(report.exitCode)],
    [
      "orders left open",
      leftovers.length === 0 ? "none" : `${leftovers.length}, listed at the top of this page`,
    ],
  ];
  return markup`<section id="environment"><h2>Environment</h2><dl class="facts wide">${facts.map(([name, value]) => markup`<dt>${name}</dt><dd>${value}</dd>`)}</dl></section>`;
}
