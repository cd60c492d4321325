import { Ajv, type ValidateFunction } from "ajv";
import { reportSchema } from "../schema/load-schema.ts";

let validate: ValidateFunction | undefined;

/** The first thing that the published schema objects to, with its place; undefined when it is content. */
export function reportProblem(value: unknown): string | undefined {
  validate ??= new Ajv({ strict: true }).compile(reportSchema());
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath === "" ? "the report" : error?.instancePath} ${error?.message ?? "does not fit"}`;
}
