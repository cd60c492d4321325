import { Ajv } from "ajv";
import standalone from "ajv/dist/standalone/index.js";
import { compilable, type SchemaName } from "./compilable.ts";

/**
 * The source of a CommonJS module that is the validator of a schema. Compiling the schema of scenarios takes longer than
 * sending a hundred requests, so the build does it (tools/bundle.mjs).
 */
export function validatorProgram(name: SchemaName): string {
  const { schema, definitions, options } = compilable(name);
  const ajv = new Ajv({ ...options, schemas: definitions, code: { source: true } });
  return standalone.default(ajv, ajv.compile(schema));
}
