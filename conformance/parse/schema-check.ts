import type { ErrorObject } from "ajv";
import type { Path, Problem } from "../model/position.ts";
import { actionNames } from "../model/step.ts";
import { didYouMean } from "../model/suggest.ts";
import type { SchemaName } from "../schema/schemas.ts";
import { validatorOf } from "../schema/validators.ts";
import type { Source } from "./source.ts";

/** Validates a file against its published schema and reports each mistake with its place, in words. */
export function checkSchema(source: Source, name: Exclude<SchemaName, "report" | "recording">): Problem[] {
  const validate = validatorOf(name);
  if (validate(source.value)) return [];
  const errors = (validate.errors ?? []).filter((error) => !isEcho(error));
  const problems = errors.map((error) => toProblem(error, source));
  const seen = new Set<string>();
  return problems.filter(({ position, message }) => {
    const key = `${position.line}:${position.column}:${message}`;
    return seen.size < seen.add(key).size;
  });
}

/** Errors that only repeat another one: the branches of a `oneOf`, and the `if` around an `else`. */
function isEcho(error: ErrorObject): boolean {
  return error.schemaPath.includes("/oneOf/") || error.keyword === "if" || error.keyword === "not";
}

function toProblem(error: ErrorObject, source: Source): Problem {
  const path: Path = error.instancePath
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  const params = error.params as Readonly<Record<string, unknown>>;
  switch (error.keyword) {
    case "additionalProperties": {
      const key = String(params["additionalProperty"]);
      const known = Object.keys((error.parentSchema?.["properties"] as object | undefined) ?? {});
      const hint = didYouMean(key, known) ?? `known here: ${known.join(", ")}`;
      return source.problem([...path, key], `unknown key "${key}"`, { hint, what: "key" });
    }
    case "required":
      return source.problem(path, `the key "${String(params["missingProperty"])}" is missing`);
    case "oneOf":
      return source.problem(path, stepProblem(error.data));
    case "type":
      return source.problem(
        path,
        `expected ${[params["type"]].flat().join(" or ")}, found ${nameOf(error.data)}`,
      );
    case "enum": {
      const allowed = (params["allowedValues"] as readonly unknown[]).map(String);
      const hint = didYouMean(String(error.data), allowed);
      return source.problem(path, `expected one of ${allowed.join(", ")}, found ${nameOf(error.data)}`, {
        hint,
      });
    }
    case "const":
      return source.problem(
        path,
        `expected ${JSON.stringify(params["allowedValue"])}, found ${nameOf(error.data)}`,
      );
    case "minItems":
      return source.problem(path, `expected at least ${String(params["limit"])} item, found none or too few`);
    case "pattern":
      return source.problem(path, patternMessage(error));
    default:
      return source.problem(path, `${error.message ?? error.keyword}, found ${nameOf(error.data)}`);
  }
}

function stepProblem(step: unknown): string {
  const keys = typeof step === "object" && step !== null ? Object.keys(step) : [];
  const actions = keys.filter((key) => actionNames.some((action) => action === key));
  return actions.length > 1
    ? `a step has one action; this one has ${actions.join(" and ")}`
    : `a step has exactly one of ${actionNames.join(", ")}`;
}

/** The patterns of the schemas in words, found by a part that only one pattern has. */
const patternMeanings: readonly (readonly [string, string])[] = [
  ["(ms|s|m", "a duration such as 300ms, 5s or 2m"],
  ["[A-Z]{3,4}", "a clause id such as PLC-07"],
  ["absent|unknown", "a mapping with method and path, or absent, or unknown"],
  ["AS-", "an assumption id such as AS-14"],
  [
    "env:[A-Za-z_][A-Za-z0-9_]*\\}$",
    "the name of an environment variable such as '${env:GW_SECRET}': a secret must not be in a file",
  ],
  ["^[A-Z0-9]{1,20}-", "a product such as BTC-USD"],
  ["[A-Za-z0-9._:", "a host name without scheme, port and path, such as gw.staging.example"],
  ["^#?(/", "a JSON pointer such as #/data/items"],
  ["^/|", "a path that begins with /"],
  ["x21", "up to 200 printable characters"],
  ["^[a-z0-9]", "a lower-case name with hyphens"],
  ["^(0|[1-9]", "a decimal such as '0.10'"],
  ["^[0-9]{4}-", "a day such as 2027-03-31"],
  ["^(?:0", "a share in quotes such as '0.2'"],
];

function patternMessage(error: ErrorObject): string {
  const pattern = String((error.params as Readonly<Record<string, unknown>>)["pattern"]);
  const meaning = patternMeanings.find(([part]) => pattern.includes(part))?.[1] ?? `text like ${pattern}`;
  return `expected ${meaning}, found ${nameOf(error.data)}`;
}

function nameOf(data: unknown): string {
  if (data === null) return "null";
  if (Array.isArray(data)) return "a list";
  if (typeof data === "object") return "a mapping";
  return typeof data === "string" ? JSON.stringify(data.slice(0, 60)) : `the ${typeof data} ${String(data)}`;
}
