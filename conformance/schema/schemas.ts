import { Ajv } from "ajv";
import {
  acceptedSchema,
  expectationsSchema,
  profileSchema,
  recordingSchema,
  reportSchema,
  scenarioSchema,
} from "./load-schema.ts";

/** The published schemas with their public ids. */
export const schemaIds = {
  scenario: "urn:gatewright:scenario:1",
  fragment: "urn:gatewright:fragment:1",
  profile: "urn:gatewright:profile:1",
  expectations: "urn:gatewright:expectations:1",
  accepted: "urn:gatewright:accepted:1",
  report: "urn:gatewright:report:1",
  recording: "urn:gatewright:recording:1",
} as const;

export type SchemaName = keyof typeof schemaIds;
/**
 * A schema is compiled once in a run for a few files, so optimising its code costs more than it saves. The schemas are
 * part of the kit, and a test validates them against the meta-schema.
 */
const quick = { validateSchema: false, meta: false, code: { optimize: false } } as const;

/** Of the words, which are for editors, only the types: lint says more of a wrong word. */
function scenarioShape(): object {
  const { definitions, ...schema } = scenarioSchema();
  const types = Object.entries(definitions.words).map(([name, word]): [string, object] => [
    name,
    "type" in word ? { type: word.type } : {},
  ]);
  return { ...schema, definitions: { ...definitions, words: Object.fromEntries(types) } };
}

/** These files are written by people, so every mistake in them is reported, with the value found. */
function writtenByHand(): Ajv {
  const fragment = { $id: schemaIds.fragment, $ref: `${schemaIds.scenario}#/definitions/fragment` };
  const schemas = [scenarioShape(), fragment, profileSchema(), expectationsSchema(), acceptedSchema()];
  return new Ajv({ ...quick, allErrors: true, verbose: true, strict: false, inlineRefs: false, schemas });
}

/**
 * These files are written by a program. The first mistake is enough, and a long list of mistakes could fill the memory.
 */
function writtenByKit(): Ajv {
  return new Ajv({ ...quick, strict: true, schemas: [reportSchema(), recordingSchema()] });
}

/** Each compiler knows some of the schemas and compiles one on demand. */
export function schemaCompilers(): readonly Ajv[] {
  return [writtenByHand(), writtenByKit()];
}
