/**
 * Each value on its own: names, types, spellings and bounds, as the schema has them, in sentences for a
 * person.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { didYouMean, nearestName } from "../../domain/nearest-name.ts";
import { type Path, type PathProblem, pointerOf, spellPath } from "../problem.ts";
import type { Spellings } from "../read-yaml.ts";
import { QUOTED_DECIMALS } from "../schema/fields.ts";
import { type WorldFile, WorldSchema } from "../schema.ts";

let compiled: ValidateFunction<WorldFile> | null = null;

function validator(): ValidateFunction<WorldFile> {
  if (compiled !== null) return compiled;
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    discriminator: true,
    strict: true,
    allowUnionTypes: true,
  });
  ajv.addVocabulary(["unit", "patternErrorMessage"]);
  compiled = ajv.compile<WorldFile>(WorldSchema);
  return compiled;
}

/** Everything that is wrong with the shape of `value`; an empty list means that it is a `WorldFile`. */
export function checkShape(value: unknown, spellings: Spellings = new Map()): readonly PathProblem[] {
  const validate = validator();
  if (validate(value)) return [];
  const errors = (validate.errors ?? []).filter((error) => !isNoise(error));
  const misspelled = new Set(errors.flatMap(meantProperty));
  const missing = (error: ErrorObject) => `${error.instancePath}/${String(error.params["missingProperty"])}`;
  const telling = errors.filter((error) => error.keyword !== "required" || !misspelled.has(missing(error)));
  return telling.map((error) => explain(error, spellings));
}

/** The property that a misspelled one stands for: that it is missing need not be said as well. */
function meantProperty(error: ErrorObject): readonly string[] {
  if (error.keyword !== "additionalProperties") return [];
  const near = nearestName(String(error.params["additionalProperty"]), knownProperties(error));
  return near === null ? [] : [`${error.instancePath}/${near}`];
}

const knownProperties = (error: ErrorObject): string[] =>
  Object.keys((error.parentSchema?.["properties"] as object | undefined) ?? {});

/**
 * The schema draft says "one of these" and then says why not each; the reasons of the branches are enough.
 */
const isNoise = (error: ErrorObject): boolean => error.keyword === "anyOf" || error.keyword === "oneOf";

function explain(error: ErrorObject, spellings: Spellings): PathProblem {
  const path = pathOf(error.instancePath);
  const name = path.length === 0 ? "the world" : spellPath(path);
  const here = (message: string, advice: string | null = null): PathProblem => ({
    path,
    on: "value",
    message,
    advice,
  });
  const params: Readonly<Record<string, unknown>> = error.params;
  switch (error.keyword) {
    case "additionalProperties":
      return unknownKey(path, String(params["additionalProperty"]), error);
    case "required":
      return { ...here(`${name} needs ${String(params["missingProperty"])}`), on: "key" };
    case "type":
      return wrongType(error, path, name, spellings);
    case "pattern":
      return here(`${name} ${hintOf(error) ?? error.message ?? ""}, was ${shown(error.data)}`);
    case "enum":
      return wrongChoice(path, name, error.data, params["allowedValues"]);
    case "const":
      return wrongChoice(path, name, error.data, [params["allowedValue"]]);
    case "discriminator":
      return wrongTag(error, path);
    case "minimum":
    case "maximum":
      return here(`${name} must be ${bounds(error)}, was ${shown(error.data)}`);
    case "uniqueItems":
      return here(`${name} has the same item twice`, "remove one of the two");
    case "minItems":
      return here(`${name} must have at least one entry`);
    default:
      return here(`${name} ${error.message ?? "is not valid"}, was ${shown(error.data)}`);
  }
}

const pathOf = (pointer: string): Path =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

function unknownKey(path: Path, key: string, error: ErrorObject): PathProblem {
  const known = knownProperties(error);
  const where = path.length === 0 ? "a world file" : spellPath(path);
  return {
    path: [...path, key],
    on: "key",
    message: `${where} has no property ${JSON.stringify(key)}`,
    advice: didYouMean(key, known) ?? `it has ${known.join(", ")}`,
  };
}

function wrongType(error: ErrorObject, path: Path, name: string, spellings: Spellings): PathProblem {
  const { data, schema } = error;
  const written = spellings.get(pointerOf(path));
  const quoted = QUOTED_DECIMALS.has(String(error.parentSchema?.["pattern"])) && typeof data === "number";
  if (quoted) {
    const text = written ?? String(data);
    return {
      path,
      on: "value",
      message: `${name} must be a decimal in quotes, was the number ${text}`,
      advice: `write "${text}": a number would lose digits`,
    };
  }
  const expected = hintOf(error) ?? `must be ${[schema].flat().map(typeName).join(" or ")}`;
  const yes = typeof data === "string" && schema === "boolean" ? YES_NO.get(data.toLowerCase()) : undefined;
  const number = typeof data === "string" && schema === "integer" && /^\d+$/.test(data);
  const advice = yes !== undefined ? `write ${yes}` : number ? `write ${data} without quotes` : null;
  return { path, on: "value", message: `${name} ${expected}, was ${shown(data)}`, advice };
}

const YES_NO: ReadonlyMap<string, string> = new Map([
  ["on", "true"],
  ["yes", "true"],
  ["true", "true"],
  ["off", "false"],
  ["no", "false"],
  ["false", "false"],
]);

const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["boolean", "true or false"],
  ["integer", "a whole number"],
  ["string", "a text"],
  ["array", "a list"],
  ["object", "a section with properties"],
  ["null", "null"],
]);

const typeName = (type: unknown): string => TYPE_NAMES.get(String(type)) ?? String(type);

function hintOf(error: ErrorObject): string | null {
  const hint: unknown = error.parentSchema?.["patternErrorMessage"];
  return typeof hint === "string" ? hint : null;
}

function bounds(error: ErrorObject): string {
  const { minimum, maximum, unit } = (error.parentSchema ?? {}) as Readonly<Record<string, unknown>>;
  return `from ${String(minimum)} to ${String(maximum)}${unit === undefined ? "" : ` ${String(unit)}`}`;
}

function wrongChoice(path: Path, name: string, data: unknown, allowed: unknown): PathProblem {
  const names = Array.isArray(allowed) ? allowed.map(String) : [];
  const near = typeof data === "string" ? didYouMean(data, names) : null;
  const choice = names.length === 1 ? names.join("") : `one of ${names.join(", ")}`;
  return { path, on: "value", message: `${name} must be ${choice}, was ${shown(data)}`, advice: near };
}

/** A branch of our own schemas: its tag is a constant. */
interface TaggedBranch {
  readonly properties: Readonly<Record<string, { readonly const?: unknown }>>;
}

function wrongTag(error: ErrorObject, path: Path): PathProblem {
  const { tag, tagValue } = error.params as { readonly tag: string; readonly tagValue: unknown };
  if (tagValue === undefined)
    return { path, on: "value", message: `${spellPath(path)} needs ${tag}`, advice: null };
  const branches = (error.parentSchema?.["oneOf"] ?? []) as readonly TaggedBranch[];
  const names = branches.map((branch) => String(branch.properties[tag]?.const));
  return wrongChoice([...path, tag], spellPath([...path, tag]), tagValue, names);
}

/** A value in a message: short, quoted, and without control characters. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a section with properties";
  if (value === null || value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}..."`;
}
