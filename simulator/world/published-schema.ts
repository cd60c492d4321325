/**
 * The schema as a file for editors: draft-07, which the YAML language server speaks. The test beside this
 * file keeps `fixtures/worlds/world.schema.json` equal to it; `npx vitest run simulator/world/schema.test.ts
 * -u` writes it anew.
 */
import { withUnits } from "../schema/document.ts";
import { WorldSchema } from "./schema.ts";

export function publishedSchema(): string {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Gatewright world",
    ...(withUnits(WorldSchema) as object),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
