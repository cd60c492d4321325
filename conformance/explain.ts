import { everyReplyClauses } from "./check/ambient.ts";
import { macroClauses } from "./check/exchange-macros.ts";
import { readSuite, type Suite } from "./load-suite.ts";
import { type Clause, claimedLevels } from "./model/clause.ts";
import { isOfLevel } from "./model/level.ts";
import { UsageError } from "./model/position.ts";
import { rowsOf, type Scenario } from "./model/scenario.ts";
import { didYouMean } from "./model/suggest.ts";
import { elsewhere, shortAddress } from "./parse/incidents.ts";
import type { Property } from "./properties/property.ts";
import { wordOf } from "./properties/table.ts";
import { supplyOf } from "./report/supply.ts";

export interface ListedCase {
  readonly id: string;
  readonly title: string;
  readonly safety: string;
  readonly clauses: readonly string[];
  readonly place: string;
}

/** Every case of a suite, one row of a table each, in the order of ids. */
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

/** The statement of a clause, its level, the cases that cite it, and their needs; or an assumption, or a property. */
export async function explainClause(id: string, places: readonly string[]): Promise<string> {
  const { suite } = await readSuite(places);
  const clause = suite.clauses.get(id.toUpperCase());
  if (clause === undefined) return explainOther(id, suite);
  const judged = suite.clauses.deciding(clause.id);
  const speaksOf = ({ spec }: { readonly spec: readonly string[] }): boolean =>
    spec.some((cited) => judged.includes(cited));
  const cases = suite.scenarios.filter((scenario) => speaksOf(scenario) || rowsOf(scenario).some(speaksOf));
  const { allProperties } = await import("./properties/all-properties.ts");
  const properties = allProperties.filter(speaksOf);
  const rows = [...suite.scenarios.flatMap(rowsOf), ...properties].filter(speaksOf);
  const level = claimedLevels.find((one) => rows.every((row) => isOfLevel(row, one, suite.clauses)));
  const common = [
    ...places.map((place) => `--scenarios ${place} `),
    level === undefined || level === "core" ? "" : `--level ${level} `,
    "--profile FILE",
  ].join("");
  const always = judged.some((cited) => everyReplyClauses.has(cited) || macroClauses.includes(cited));
  return [
    `${clause.id} (${clause.level}, certificate ${clause.certificate})`,
    `  ${clause.statement}`,
    ...(clause.where === undefined ? [] : [`  found in: ${clause.where}`]),
    `  level: ${weights[clause.level]}`,
    `  basis: ${basisOf(clause)}`,
    ...promisedBy(clause),
    ...(clause.aliasOf.length === 0
      ? []
      : [`  says the same as: ${clause.aliasOf.join(", ")}, and is judged with them`]),
    ...(clause.how === undefined ? [] : [`  tested by: ${clause.how}`]),
    ...(clause.level === "untestable" ? [] : supplies(clause.needs)),
    cases.length === 0 ? "  cases: none in this suite" : "  cases:",
    ...cases.map((scenario) => `    ${caseLine(scenario, judged)}`),
    ...checkedIn(
      suite.scenarios.filter((scenario) => !cases.includes(scenario)),
      judged,
    ),
    ...(properties.length === 0 ? [] : ["  properties:"]),
    ...properties.flatMap(propertyLines),
    ...(rows.length === 0 ? [] : [`  run them: gatewright conform --only ${clause.id} ${common}`]),
    ...(always
      ? [`  replies of other cases are checked against it, too; the whole run: gatewright conform ${common}`]
      : []),
    ...incidentLines(judged),
    "",
  ].join("\n");
}

/** Ids as the interface writes those of orders, and the sandbox those of requests. */
const ofTraffic = /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|req-\w+)$/i;

/** What a profile may decide, or what makes requests: each is named by a report. */
async function explainOther(name: string, { scenarios, clauses }: Suite): Promise<string> {
  const id = name.toUpperCase();
  const assuming = scenarios.filter(({ assumes }) => assumes.includes(id));
  if (assuming.length > 0)
    return [
      `${id}: how the kit reads the specification where it leaves a choice`,
      `  a difference is a warning; under assumptions in a profile, "${id}: adopt" makes it a violation, "reject" a note`,
      "  cases:",
      ...assuming.map((one) => `    ${one.id}: ${one.title} (${one.spec.join(", ")})`),
      "",
    ].join("\n");
  const { allProperties } = await import("./properties/all-properties.ts");
  const property = allProperties.find((one) => one.id === id);
  if (property === undefined) {
    if (ofTraffic.test(name))
      throw new UsageError(
        `${name} is the id of an order or a request, and not of a clause: did you mean "gatewright why ${name}"?`,
      );
    const hint = didYouMean(id, [...clauses.clauses.keys()]);
    throw new UsageError(`there is no clause ${name}${hint === undefined ? "" : `: ${hint}`}`);
  }
  return [
    "a property: requests that the kit generates, within the profile's limits",
    ...propertyLines(property),
    `  clauses: ${property.spec.join(", ")}`,
    `  run it: gatewright conform --only ${id} --properties only --profile FILE`,
    "",
  ].join("\n");
}

const weights: Readonly<Record<Clause["level"], string>> = {
  required: "a violation makes a target NON_CONFORMANT",
  recommended: "a violation is a warning",
  assumed: "the specification leaves it open: a warning, unless the target's profile adopts the assumption",
  informational: "noted, never judged",
  untestable: "cannot be tried from outside",
};

/** The word of the register, and its sentence. */
const basisOf = ({ basis, why }: Clause): string =>
  why === undefined ? `${basis}: the specification says it` : `${basis}: ${why}`;

function promisedBy({ promisedBy: statements = [] }: Clause): string[] {
  if (statements.length === 0) return [];
  const said = statements.map(({ key, is = [] }) => (is.length === 0 ? key : `${key}: ${is.join(" or ")}`));
  return [`  required of a target whose profile says ${said.join(", or ")}`];
}

function supplies(needs: readonly string[]): string[] {
  if (needs.length === 0) return ["  to supply: nothing but the trader credential"];
  return ["  to supply:", ...needs.map((need) => `    ${supplyOf(need)}`)];
}

/** At most five, the newest first. */
function incidentLines(clauses: readonly string[]): string[] {
  const found = elsewhere(clauses, [], 5);
  if (found.length === 0) return [];
  return [
    "  what such a fault did elsewhere:",
    ...found.flatMap(({ year, title, what, address }) => [
      `    ${year}: ${title}. ${what}`,
      `      ${shortAddress(address)}`,
    ]),
  ];
}

/** For a table: the differences between its plans. */
function propertyLines({ id, title, safety, table }: Property): string[] {
  const line = `    ${id}: ${title} (${safety})`;
  if (table === undefined) return [line];
  return [
    line,
    `      ${wordOf(table)} of ${Object.keys(table.dimensions).join(", ")}: gatewright coverage --pairs`,
  ];
}

/** The cases that do not claim the clause, and of which a check can violate it. */
function checkedIn(others: readonly Scenario[], ids: readonly string[]): string[] {
  const found = others.filter(({ setup, steps, cleanup }) => cites([setup, steps, cleanup], ids));
  return found.length === 0
    ? []
    : [`  a check of these cites it, and no more: ${found.map(({ id }) => id).join(", ")}`];
}

/** Whether a step, a row of a step or a matcher names one of these clauses. */
function cites(value: unknown, ids: readonly string[]): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => {
    const named: unknown = key === "spec" || key === "$cite" ? inner : [];
    return [named].flat().some((id) => ids.includes(String(id))) || cites(inner, ids);
  });
}

/** Names the rows if only some rows of a scenario cite the clause. */
function caseLine(scenario: Scenario, ids: readonly string[]): string {
  const rows = rowsOf(scenario);
  const speaking = rows.filter((row) => row.spec.some((id) => ids.includes(id)));
  const some = speaking.length > 0 && speaking.length < rows.length;
  const names = speaking.slice(0, 6).map((row) => row.id.slice(scenario.id.length));
  const which = some ? ` ${names.join(" ")}${speaking.length > 6 ? " …" : ""}` : "";
  const { file, line } = scenario.position;
  return `${scenario.id}${which}: ${scenario.title} (${scenario.safety}, ${file}:${line})`;
}
