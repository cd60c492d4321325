import { expect, it } from "vitest";
import { scenarioSchema } from "./language.ts";

it("is what the published schema says: npm test -- -u writes the file anew", async () => {
  await expect(`${JSON.stringify(scenarioSchema, null, 2)}\n`).toMatchFileSnapshot(
    "../schema/scenario.schema.json",
  );
});
