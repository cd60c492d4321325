import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Report } from "../report.ts";
import { behaviourSection, environmentSection } from "./about.ts";
import { banner } from "./banner.ts";
import { casesSection } from "./cases.ts";
import { clauseMatrix, clausesSection, problemsSection } from "./clauses.ts";
import { Markup, markup } from "./markup.ts";

/**
 * The report as one page. It asks the network for nothing and runs one script of ours, which filters: the policy in the
 * page names the digests of the two inline parts, so that text of a target can neither run nor load anything even if
 * escaping failed. All of it can be read without a script, with a keyboard and on paper.
 */
export function htmlReport(report: Report): string {
  const [style, script] = [part("report.css"), part("report.js")];
  const policy = `default-src 'none'; style-src ${digest(style)}; script-src ${digest(script)}; base-uri 'none'; form-action 'none'`;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${report.verdict} · ${report.target.name} · Gatewright</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the report</a>
${banner(report)}
<main id="main">
${clauseMatrix(report)}
${problemsSection(report)}
${clausesSection(report)}
${casesSection(report)}
${behaviourSection(report)}
${environmentSection(report)}
</main>
<script>${new Markup(script)}</script>
</body>
</html>
`;
  return page.source;
}

function part(name: string): string {
  return readFileSync(new URL(`./${name}`, import.meta.url), "utf8");
}

function digest(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
