import type { Ajv, ValidateFunction } from "ajv";
import { type SchemaName, schemaCompilers, schemaIds } from "./schemas.ts";

let compilers: readonly Ajv[] | undefined;

/** Validates a value against a published schema. */
export function validatorOf(name: SchemaName): ValidateFunction {
  compilers ??= schemaCompilers();
  for (const compiler of compilers) {
    const validate = compiler.getSchema(schemaIds[name]);
    if (validate !== undefined) return validate as ValidateFunction;
  }
  throw new Error(`no compiler knows the schema of a ${name}`);
}
