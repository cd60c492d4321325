import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { scenarioSchema } from "./language.ts";

it("is the same in the published schema: npm test -- -u writes the file again", async () => {
  await expect(`${JSON.stringify(scenarioSchema, null, 2)}\n`).toMatchFileSnapshot(
    "../schema/scenario.schema.json",
  );
});

it("has the top-level keys that docs/kit.md lists", () => {
  const { properties } = JSON.parse(JSON.stringify(scenarioSchema)) as { properties: object };
  const page = readFileSync(new URL("../../docs/kit.md", import.meta.url), "utf8");
  const [, table = ""] = page.split("| Key of a scenario | Meaning |\n");
  const [rows = ""] = table.split("\n\n");
  const listed = rows
    .split("\n")
    .flatMap((row) => Array.from((row.split("|")[1] ?? "").matchAll(/`(\w+)`/g), ([, key]) => key));
  expect(new Set(listed)).toEqual(new Set(Object.keys(properties)));
});
