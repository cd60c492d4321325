import { validatorOf } from "../schema/validators.ts";

/** The first thing that the published schema objects to, with its place; undefined when it is content. */
export function reportProblem(value: unknown): string | undefined {
  const validate = validatorOf("report");
  if (validate(value)) return undefined;
  const [error] = validate.errors ?? [];
  return `${error?.instancePath === "" ? "the report" : error?.instancePath} ${error?.message ?? "does not fit"}`;
}
