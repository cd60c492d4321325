import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defects } from "./catalogue.ts";
import { fieldMutant } from "./field-mutants.ts";

const text = readFileSync(new URL("../../fixtures/spec/clauses.json", import.meta.url), "utf8");
// as: a test beside the register holds it in shape.
const { clauses } = JSON.parse(text) as { readonly clauses: readonly { readonly id: string }[] };

describe("the catalogue of bugs and legal variations", () => {
  test("names each of them in words", () => {
    for (const { id, title } of defects) expect(title, id).toMatch(/^[A-Za-z].{10,}[^.]$/);
    expect(new Set(defects.map(({ title }) => title)).size).toBe(defects.length);
  });

  test("blames each bug for clauses that exist, and a variation for none", () => {
    const known = new Set(clauses.map(({ id }) => id));
    for (const { id, violates } of defects) {
      if (id.startsWith("V-")) expect(violates, id).toEqual([]);
      for (const clause of violates) expect(known.has(clause), `${id} ${clause}`).toBe(true);
    }
  });

  test("has no two of one name", () => {
    const ids = defects.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted());
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([365, "A-01", "V-55"]);
  });

  test("makes no field mutant of no record or of no kind", () => {
    expect(fieldMutant("GM:order.id:absent")?.id).toBe("GM:order.id:absent");
    expect(fieldMutant("GM:wallet.id:absent")).toBeUndefined();
    expect(fieldMutant("GM:order.id:vanished")).toBeUndefined();
    expect(fieldMutant("GM:order.id")).toBeUndefined();
  });
});
