import { validatorOf } from "../schema/validators.ts";

/** The first mistake by the published schema, with its place; undefined for a valid report. */
export function reportProblem(value: unknown): string | undefined {
  const validate = validatorOf("report");
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath === "" ? "the report" : error?.instancePath} ${error?.message ?? "does not fit"}`;
}
