/** A schema as documents and editors show it. */
import type { Schema } from "./fields.ts";

/**
 * Readers show a description and nothing else, so the unit moves into it. `inside` replaces a schema
 * within another one; without it, the schema stays.
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

/** Without the sentences of the reader, which are no part of JSON Schema. */
export const inDocument = (schema: Schema): Schema =>
  // as: the rest of a schema is one.
  withUnits(withoutSentences(schema), withoutSentences) as Schema;

/** One schema of a document, without the sentences of the reader. */
export function withoutSentences(schema: object): object {
  if (!("patternErrorMessage" in schema)) return schema;
  const { patternErrorMessage: _sentence, ...rest } = schema;
  // as: a schema without a member of it is a map.
  return withUnits(rest, withoutSentences) as object;
}
