import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { packageRoot } from "./package-root.ts";
import { schemaLine } from "./schema-line.ts";

it("leads from a file of the checkout to the schema", () => {
  const folder = join(packageRoot(), "scenarios/regressions");
  const [, path = ""] =
    /^# yaml-language-server: \$schema=(.*)\n$/.exec(schemaLine(join(folder, "a.yaml"))) ?? [];
  expect(path).toBe("../../conformance/schema/scenario.schema.json");
  expect(existsSync(join(folder, path))).toBe(true);
});

const installed = resolve("shop/node_modules/gatewright");

it.each([
  ["shop/cases/a.yaml", "../node_modules/gatewright/conformance/schema/scenario.schema.json"],
  ["shop/a.yaml", "node_modules/gatewright/conformance/schema/scenario.schema.json"],
])("leads from a file of a project to the installed schema: %s", (file, path) => {
  const line = schemaLine(file, installed);
  expect(line).toBe(`# yaml-language-server: $schema=${path}\n`);
});

it("is left out where no such path holds", () => {
  expect(schemaLine("elsewhere/a.yaml", installed)).toBe("");
  expect(schemaLine("shop-2/a.yaml", resolve("shop"))).toBe("");
});
