import type { Report } from "./report.ts";

/**
 * The behaviour sheet: the target's behaviour where the specification leaves a choice. Rows of one scenario with equal
 * answers share a line.
 */
export interface Behaviour {
  readonly scenario: string;
  readonly title: string;
  readonly what: string;
  readonly answers: readonly { readonly value: string; readonly rows: readonly string[] }[];
}

/** Labels about the search of a property; they do not describe the target. */
const bookkeeping: ReadonlySet<string> = new Set([
  "runs",
  "shrinks",
  "seed",
  "pairs",
  "triples",
  "combinations",
  "cannot be tried here",
  "not run",
]);

export function behaviourSheet(report: Report): Behaviour[] {
  const sheet = new Map<
    string,
    { scenario: string; title: string; what: string; answers: Map<string, string[]> }
  >();
  for (const { id, title, observations, place } of report.cases) {
    const [scenario, row] = splitId(id);
    for (const [what, value] of Object.entries(observations)) {
      if (place.startsWith("property ") && bookkeeping.has(what)) continue;
      const key = `${scenario}\n${what}`;
      const entry = sheet.get(key) ?? { scenario, title, what, answers: new Map<string, string[]>() };
      entry.answers.set(value, [...(entry.answers.get(value) ?? []), row]);
      sheet.set(key, entry);
    }
  }
  return [...sheet.values()]
    .map(({ answers, ...entry }) => ({
      ...entry,
      answers: [...answers].map(([value, rows]) => ({
        value,
        rows: rows.filter((row) => row !== "").sort(),
      })),
    }))
    .sort((a, b) => compare(a.scenario, b.scenario) || compare(a.what, b.what));
}

/** `auth-100[bit-7]` is the row `bit-7` of `auth-100`. */
export function splitId(id: string): [scenario: string, row: string] {
  const [, scenario = id, row = ""] = /^([^[]*)\[(.*)\]$/s.exec(id) ?? [];
  return [scenario, row];
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
