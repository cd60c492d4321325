/** Ajv for the dialect of OpenAPI 3.1, with formats from another hand than ours. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { IsDateTime, IsUuid } from "typebox/format";
import type { Schema } from "../../schema/fields.ts";
import { schemaComponents } from "../components.ts";

/** With the components of a document. */
export function newAjv(components: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true });
  ajv.addFormat("date-time", (value: string) => IsDateTime(value));
  ajv.addFormat("uuid", (value: string) => IsUuid(value));
  ajv.addKeyword("components");
  ajv.addSchema({ $id: "openapi", components });
  return ajv;
}

const trading = newAjv({ schemas: schemaComponents });

/** By the text of their schema: to compile takes far longer than to check. */
const compiled = new WeakMap<Ajv2020, Map<string, ValidateFunction>>();

/** Compiles a schema whose references are those of the OpenAPI document. */
export function compile(schema: Schema, ajv = trading): ValidateFunction {
  const known = compiled.get(ajv) ?? new Map<string, ValidateFunction>();
  compiled.set(ajv, known);
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"openapi#/components/');
  // as: the references are written for a document, and the document is registered under this name.
  const validate = known.get(text) ?? ajv.compile(JSON.parse(text) as object);
  known.set(text, validate);
  return validate;
}

/** The problems as sentences; none if the value is valid. */
export function faults(schema: Schema, value: unknown, ajv = trading): string[] {
  const validate = compile(schema, ajv);
  if (validate(value)) return [];
  return (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message ?? error.keyword}`);
}
