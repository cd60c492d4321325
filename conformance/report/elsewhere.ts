/** What the same fault did at other gateways, for reports that are text. */
import { type Elsewhere, shortAddress } from "../parse/incidents.ts";
import type { Report } from "./report.ts";

const most = 3;

/** The first incident of each of these clauses that is violated. */
export function elsewhereLines(report: Report, clauses: readonly string[]): string[] {
  const firsts = report.clauses
    .filter(({ id }) => clauses.includes(id))
    .flatMap(({ elsewhere = [] }) => elsewhere.slice(0, 1));
  return [...new Set(firsts.map(elsewhereLine))].slice(0, most);
}

export const elsewhereLine = ({ year, title, address }: Elsewhere): string =>
  `${year}, ${title} (${shortAddress(address)})`;
