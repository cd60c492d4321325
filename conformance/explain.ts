import { readSuite } from "./load-suite.ts";
import { UsageError } from "./model/position.ts";
import { rowsOf } from "./model/scenario.ts";
import { didYouMean } from "./parse/suggest.ts";

export interface ListedCase {
  readonly id: string;
  readonly title: string;
  readonly safety: string;
  readonly clauses: readonly string[];
  readonly place: string;
}

/** Every case of a suite, one line of the table each, in the order of ids. */
export async function listCases(places: readonly string[]): Promise<ListedCase[]> {
  const { suite, problems } = await readSuite(places);
  if (problems.length > 0) throw new UsageError("the scenarios are not valid", problems);
  const rows = suite.scenarios.flatMap(rowsOf);
  return rows
    .map(({ id, scenario, spec }) => ({
      id,
      title: scenario.title,
      safety: scenario.safety,
      clauses: spec,
      place: `${scenario.position.file}:${scenario.position.line}`,
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** What a clause says, how much it weighs, which cases speak about it and what they need. */
export async function explainClause(id: string, places: readonly string[]): Promise<string> {
  const { suite } = await readSuite(places);
  const clause = suite.clauses.get(id.toUpperCase());
  if (clause === undefined) {
    const hint = didYouMean(id.toUpperCase(), [...suite.clauses.clauses.keys()]);
    throw new UsageError(`there is no clause ${id}${hint === undefined ? "" : `: ${hint}`}`);
  }
  const cases = suite.scenarios.filter(
    (scenario) =>
      scenario.spec.includes(clause.id) || rowsOf(scenario).some((row) => row.spec.includes(clause.id)),
  );
  return [
    `${clause.id} (${clause.level}, certificate ${clause.certificate})`,
    `  ${clause.statement}`,
    ...(clause.where === undefined ? [] : [`  where: ${clause.where}`]),
    ...(clause.aliasOf.length === 0 ? [] : [`  says the same as: ${clause.aliasOf.join(", ")}`]),
    ...(clause.how === undefined ? [] : [`  tested by: ${clause.how}`]),
    ...(clause.needs.length === 0 ? [] : [`  needs from the profile: ${clause.needs.join(", ")}`]),
    cases.length === 0 ? "  cases: none in this suite" : "  cases:",
    ...cases.map((scenario) => `    ${scenario.id} (${scenario.position.file}:${scenario.position.line})`),
    "",
  ].join("\n");
}
