import standalone from "ajv/dist/standalone/index.js";
import { schemaCompilers, schemaIds } from "./schemas.ts";

/**
 * The sources of CommonJS modules whose exports are the validators by their names. Compiling the schema of scenarios takes
 * longer than sending a hundred requests, so the build does it (tools/bundle.mjs).
 */
export function validatorPrograms(): string[] {
  return schemaCompilers({ source: true }).map((compiler) => {
    const known = Object.entries(schemaIds).filter(([, id]) => compiler.getSchema(id) !== undefined);
    return standalone.default(compiler, Object.fromEntries(known));
  });
}
