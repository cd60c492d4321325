import type { Report } from "../report.ts";
import { behaviourSection, environmentSection } from "./about.ts";
import { banner } from "./banner.ts";
import { casesSection } from "./cases.ts";
import { clauseMatrix, clausesSection, problemsSection } from "./clauses.ts";
import { htmlPage } from "./frame.ts";

/** The report as one page. */
export function htmlReport(report: Report): string {
  return htmlPage({
    title: `${report.verdict} · ${report.target.name}`,
    name: "report",
    banner: banner(report),
    body: [
      problemsSection(report),
      clauseMatrix(report),
      clausesSection(report),
      casesSection(report),
      behaviourSection(report),
      environmentSection(report),
    ],
  });
}
