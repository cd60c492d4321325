import { Ajv } from "ajv";
import { expectationsSchema, profileSchema, reportSchema, scenarioSchema } from "./load-schema.ts";

/** What a published schema is for, with its name in the world. */
export const schemaIds = {
  scenario: "urn:gatewright:scenario:1",
  fragment: "urn:gatewright:fragment:1",
  profile: "urn:gatewright:profile:1",
  expectations: "urn:gatewright:expectations:1",
  report: "urn:gatewright:report:1",
} as const;

export type SchemaName = keyof typeof schemaIds;
/**
 * A schema is compiled once in a run, for a few files: code that is made faster costs more than it saves. The schemas are
 * ours, and a test holds them against the schema of schemas.
 */
const quick = { validateSchema: false, meta: false, code: { optimize: false } } as const;

/** People write these files, so every mistake in them is told, with what stands there. */
function writtenByHand(): Ajv {
  const fragment = { $id: schemaIds.fragment, $ref: `${schemaIds.scenario}#/definitions/fragment` };
  const schemas = [scenarioSchema(), fragment, profileSchema(), expectationsSchema()];
  return new Ajv({ ...quick, allErrors: true, verbose: true, strict: false, inlineRefs: false, schemas });
}

/** A program writes this one: the first mistake is enough, and a long list of them could be meant to fill the memory. */
function writtenByKit(): Ajv {
  return new Ajv({ ...quick, strict: true, schemas: [reportSchema()] });
}

/** Each knows some of the schemas and compiles one when it is asked for. */
export function schemaCompilers(): readonly Ajv[] {
  return [writtenByHand(), writtenByKit()];
}
