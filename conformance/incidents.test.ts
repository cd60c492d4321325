import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";

interface Incident {
  readonly id: string;
  readonly source: { readonly repository: string; readonly issue?: number; readonly pull?: number };
  readonly year: number;
  readonly class: string;
  readonly clauses: readonly string[];
  readonly cases: readonly string[];
  readonly unseen?: string;
  readonly outside?: string;
}

const textOf = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), "utf8");
const incidents = parse(textOf("fixtures/incidents.yaml")) as {
  readonly classes: Readonly<Record<string, string>>;
  readonly list: readonly Incident[];
};
const register = textOf("fixtures/spec/clauses.json");
const cases = new Set(textOf("scenarios/ids.txt").split("\n"));

test("ids and sources of incidents are unique", () => {
  const { list } = incidents;
  expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
  expect(new Set(list.map(({ source }) => JSON.stringify(source))).size).toBe(list.length);
});

test.each(incidents.list)("$id names what exists, or says why it names nothing", (incident) => {
  expect(incident.id).toMatch(/^I-\d{3}$/);
  expect(incident.source.repository).toMatch(/^[\w.-]+\/[\w.-]+$/);
  expect(incident.source.issue ?? incident.source.pull).toBeGreaterThan(0);
  expect(Object.keys(incidents.classes)).toContain(incident.class);
  for (const clause of incident.clauses) expect(register).toContain(`"${clause}"`);
  for (const id of incident.cases) expect(cases).toContain(id);
  if (incident.clauses.length === 0) expect(incident.outside).toBeTruthy();
  if (incident.cases.length === 0) expect(incident.unseen ?? incident.outside).toBeTruthy();
});
