/**
 * The schema as a file for editors: draft-07, which the YAML language server speaks. The test beside this
 * file keeps `fixtures/worlds/world.schema.json` equal to it; `npx vitest run simulator/world/schema.test.ts
 * -u` writes it anew.
 */
import { WorldSchema } from "./schema.ts";

export function publishedSchema(): string {
  const schema = {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Gatewright world",
    ...(withUnits(WorldSchema) as object),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/**
 * Readers show a description and nothing else, so the unit moves into it. `inside` gives what stands in the place of a schema
 * within another; the schema itself when absent.
 */
export function withUnits(node: unknown, inside: (schema: object) => object = (schema) => schema): unknown {
  if (Array.isArray(node)) return node.map((item) => within(item, inside));
  if (typeof node !== "object" || node === null) return node;
  const { unit, discriminator, ...rest } = node as Readonly<Record<string, unknown>>;
  const members = Object.entries(rest).map(([name, value]): [string, unknown] => [
    name,
    name === "default" ? value : within(value, inside),
  ]);
  const plain: Record<string, unknown> = Object.fromEntries(members);
  if (typeof unit !== "string" || typeof plain["description"] !== "string") return plain;
  return { ...plain, description: `${plain["description"]} Unit: ${unit}.` };
}

function within(node: unknown, inside: (schema: object) => object): unknown {
  const instead = typeof node === "object" && node !== null ? inside(node) : node;
  return instead === node ? withUnits(node, inside) : instead;
}
