import { readFileSync } from "node:fs";
import { expect, it, test } from "vitest";
import { addressOf, elsewhere, incidents } from "./incidents.ts";

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const { list, classes } = incidents();
const register = textOf("fixtures/spec/clauses.json");
const cases = new Set(textOf("scenarios/ids.txt").split("\n"));

test("ids and sources of incidents are unique, and every class has one", () => {
  expect(new Set(list.map(({ id }) => id)).size).toBe(list.length);
  expect(new Set(list.map(({ source }) => addressOf(source))).size).toBe(list.length);
  expect(new Set(list.map((incident) => incident.class))).toEqual(new Set(Object.keys(classes)));
});

test.each(list)("$id names what exists, or says why it names nothing", (incident) => {
  expect(incident.id).toMatch(/^I-\d{3}$/);
  expect(addressOf(incident.source)).toMatch(
    /^https:\/\/(?:github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull)\/\d+|[\w.-]+\/[\w./?=-]+)$/,
  );
  expect(incident.year).toBeGreaterThan(2000);
  for (const clause of incident.clauses) expect(register).toContain(`"${clause}"`);
  for (const id of incident.cases) expect(cases).toContain(id);
  expect(incident.clauses.length === 0).toBe(incident.outside !== undefined);
  const said = [incident.planted, incident.unplanted, incident.outside].filter((text) => text !== undefined);
  expect(said).toHaveLength(1);
  if (incident.unplanted !== undefined) expect(incident.unplanted).toMatch(/^[A-Z].*\.$/s);
  if (incident.clauses.length > 0) expect(incident.cases.length === 0).toBe(incident.unseen !== undefined);
});

it("shows those first that a broken case should find, then the newest", () => {
  const any = elsewhere(["PLC-10"], []);
  expect(any).toHaveLength(3);
  expect(any.map(({ year }) => year)).toEqual(any.map(({ year }) => year).toSorted((a, b) => b - a));
  const [first] = elsewhere(["PLC-10"], ["idempotency-050-after-the-fill[limit]"]);
  expect(list.find(({ id }) => id === first?.id)?.cases).toContain("idempotency-050-after-the-fill");
  expect(elsewhere(["CERT-XX"], [])).toEqual([]);
});
