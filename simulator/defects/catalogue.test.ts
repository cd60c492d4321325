import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { DEFECTS } from "./catalogue.ts";
import { fieldMutant } from "./field-mutants.ts";

const read = (name: string): unknown =>
  parse(readFileSync(new URL(`../../fixtures/defects/${name}.yaml`, import.meta.url), "utf8"));
const idsOf = (list: unknown): string[] => (list as readonly { readonly id: string }[]).map(({ id }) => id);

const { mutants } = read("mutants") as { mutants: unknown };
const { variations } = read("variations") as { variations: unknown };
const { mutants: independent } = read("independent") as { mutants: unknown };
const { mutants: fieldMutants } = read("field-mutants") as { mutants: unknown };

test("the venue can be started with what the fixtures name, and with nothing else", () => {
  const named = [mutants, independent, variations].flatMap(idsOf);
  expect([...DEFECTS.keys()].sort()).toEqual(named.sort());
});

test("the independent bugs stand in the order of their ids", () => {
  expect(idsOf(independent)).toEqual(idsOf(independent).toSorted());
});

test.each(idsOf(fieldMutants))("%s can be made", (id) => {
  expect(fieldMutant(id)?.id).toBe(id);
});

test("a field mutant of no record or of no kind cannot be made", () => {
  expect(fieldMutant("GM:wallet.id:absent")).toBeUndefined();
  expect(fieldMutant("GM:order.id:vanished")).toBeUndefined();
  expect(fieldMutant("GM:order.id")).toBeUndefined();
});
