import type { AnySchemaObject, Options } from "ajv";
import { expectationsSchema, profileSchema, reportSchema, scenarioSchema } from "./load-schema.ts";

export const schemaNames = ["scenario", "fragment", "profile", "expectations", "report"] as const;
export type SchemaName = (typeof schemaNames)[number];

/** What Ajv is given for a schema, now or at build time. */
export interface Compilable {
  readonly schema: AnySchemaObject;
  /** Schemas that it refers to. */
  readonly definitions: AnySchemaObject[];
  readonly options: Options;
}

/** People write these files, so every mistake is told, with what stands there. */
const written: Options = { allErrors: true, verbose: true, strict: false };

export function compilable(name: SchemaName): Compilable {
  switch (name) {
    case "scenario":
      return { schema: scenarioSchema(), definitions: [], options: written };
    case "fragment": {
      const schema = { $ref: "urn:gatewright:scenario:1#/definitions/fragment" };
      return { schema, definitions: [scenarioSchema()], options: written };
    }
    case "profile":
      return { schema: profileSchema(), definitions: [], options: written };
    case "expectations":
      return { schema: expectationsSchema(), definitions: [], options: written };
    case "report":
      return { schema: reportSchema(), definitions: [], options: { strict: true } };
    default:
      return name satisfies never;
  }
}
