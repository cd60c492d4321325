import { Ajv, type ValidateFunction } from "ajv";
import { compilable, type SchemaName } from "./compilable.ts";

const compiled = new Map<SchemaName, ValidateFunction>();

/** Holds a value against a published schema. The bundle of the kit brings these functions compiled (validator-program.ts). */
export function validatorOf(name: SchemaName): ValidateFunction {
  const known = compiled.get(name);
  if (known !== undefined) return known;
  const { schema, definitions, options } = compilable(name);
  const validate = new Ajv({ ...options, schemas: definitions }).compile(schema);
  compiled.set(name, validate);
  return validate;
}
