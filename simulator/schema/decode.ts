/**
 * The one reader of values from outside: world files, bodies, queries, messages of the stream. It checks names, types,
 * spellings and bounds by a schema, and reports all mistakes at once, in sentences for a person.
 *
 * **Invariants.** Only a member of the value itself counts, never what a prototype holds. Nothing is converted: a decimal
 * stays the text that it was. The depth of a schema bounds the depth of the walk.
 */
import { didYouMean, nearestName } from "../domain/nearest-name.ts";
import { err, ok, type Result } from "../domain/result.ts";
import { quotedDecimals, type Schema, type Shape } from "./fields.ts";
import { type PathProblem, pointerOf } from "./problem.ts";

/** How numbers were spelled in the text that a value came from, by `pointerOf` their path. */
export type Spellings = ReadonlyMap<string, string>;

/** The value as its schema says it, or everything that is wrong with it. */
export function decode<T>(
  schema: Shape<T>,
  value: unknown,
  spellings: Spellings = noSpellings,
): Result<T, readonly PathProblem[]> {
  const reading = new Reading(spellings);
  reading.value(schema, value);
  // as: nothing is wrong with it, so it is what its schema says.
  return reading.problems.length === 0 ? ok(value as T) : err(reading.problems);
}

const noSpellings: Spellings = new Map();

type Loose = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);

class Reading {
  readonly problems: PathProblem[] = [];
  readonly #spellings: Spellings;
  readonly #path: (string | number)[] = [];

  constructor(spellings: Spellings) {
    this.#spellings = spellings;
  }

  value(schema: Schema, value: unknown): void {
    const { discriminator, enum: choices, const: only, type } = schema;
    if (choices !== undefined) this.#choice(choices, value);
    else if (only !== undefined) this.#choice([only], value);
    else if (type !== undefined && !isOfTypes(type, value)) this.#wrongType(schema, value);
    else if (typeof value === "string") this.#text(schema, value);
    else if (typeof value === "number") this.#number(schema, value);
    else if (Array.isArray(value)) this.#list(schema, value);
    else if (isMap(value) && discriminator !== undefined)
      this.#tagged(schema, discriminator.propertyName, value);
    else if (isMap(value)) this.#section(schema, value);
  }

  #member(schema: Schema, value: unknown, name: string | number): void {
    this.#path.push(name);
    this.value(schema, value);
    this.#path.pop();
  }

  #refuse(issue: string, advice: string | null = null): void {
    this.problems.push({ path: [...this.#path], on: "value", issue, advice });
  }

  #refuseKey(name: string, issue: string, advice: string | null = null): void {
    this.problems.push({ path: [...this.#path, name], on: "key", issue, advice });
  }

  #choice(choices: readonly unknown[], value: unknown): void {
    if (choices.includes(value)) return;
    const names = choices.map(String);
    const choice = names.length === 1 ? names.join("") : `one of ${names.join(", ")}`;
    const near = typeof value === "string" ? didYouMean(value, names) : null;
    this.#refuse(`must be ${choice}, was ${shown(value)}`, near);
  }

  /** Says what to write instead where that is clear. */
  #wrongType(schema: Schema, value: unknown): void {
    if (!quotedDecimals.has(schema.pattern ?? "") || typeof value !== "number")
      return this.#refuse(`${expected(schema)}, was ${shown(value)}`, instead(schema, value));
    const text = this.#spellings.get(pointerOf(this.#path)) ?? String(value);
    const advice = `write "${text}": a number would lose digits`;
    const isDecimal = compiled(schema.pattern ?? "").test(text);
    this.#refuse(`must be a decimal in quotes, was the number ${text}`, isDecimal ? advice : null);
  }

  #text({ pattern, patternErrorMessage, not, minLength = 0, maxLength }: Schema, value: string): void {
    if (pattern !== undefined && !compiled(pattern).test(value))
      this.#refuse(`${patternErrorMessage ?? "is spelled in a wrong way"}, was ${shown(value)}`);
    else if (not !== undefined && compiled(not.pattern).test(value))
      this.#refuse(`${not.patternErrorMessage}, was ${shown(value)}`);
    if (maxLength === undefined) return;
    const length = Array.from(value).length;
    if (length < minLength || length > maxLength)
      this.#refuse(`must have ${minLength} to ${maxLength} characters, was ${shown(value)}`);
  }

  #number(schema: Schema, value: number): void {
    const { minimum = value, maximum = value } = schema;
    if (value < minimum || value > maximum) this.#refuse(`${expected(schema)}, was ${shown(value)}`);
  }

  #list(schema: Schema, value: readonly unknown[]): void {
    const { items = {}, minItems = 0, maxItems = value.length, uniqueItems = false } = schema;
    if (value.length < minItems) this.#refuse("must have at least one entry");
    if (value.length > maxItems)
      return this.#refuse(`must have at most ${maxItems} entries, was a list of ${value.length}`);
    if (uniqueItems && new Set(value).size < value.length)
      this.#refuse("has the same item twice", "remove one of the two");
    for (const [index, item] of value.entries()) this.#member(items, item, index);
  }

  #tagged({ oneOf: branches = [] }: Schema, tag: string, value: Loose): void {
    const kinds = branches.map((branch) => branch.properties?.[tag]?.const ?? "");
    if (!Object.hasOwn(value, tag)) return this.#refuseKey(tag, `is required: one of ${kinds.join(", ")}`);
    const branch = branches[kinds.findIndex((kind) => kind === value[tag])];
    if (branch === undefined) this.#member({ enum: kinds.map(String) }, value[tag], tag);
    else this.#section(branch, value);
  }

  #section({ properties = {}, required = [], additionalProperties, title }: Schema, value: Loose): void {
    const meant = new Set<string>();
    for (const name of Object.keys(value)) {
      const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
      if (typeof known === "object") this.#member(known, value[name], name);
      else if (known !== true) this.#unknown(name, Object.keys(properties), meant);
    }
    // That a misspelled member is missing need not be said as well.
    for (const name of required)
      if (!Object.hasOwn(value, name) && !meant.has(name))
        this.#refuseKey(name, title === undefined ? "is required" : `is required for a ${title} order`);
  }

  #unknown(name: string, known: readonly string[], meant: Set<string>): void {
    const near = nearestName(name, known);
    if (near !== null) meant.add(near);
    const list = known.length === 0 ? "nothing is taken here" : `known here: ${known.join(", ")}`;
    this.#refuseKey(name, "is unknown", didYouMean(name, known) ?? list);
  }
}

const compiledPatterns = new Map<string, RegExp>();

/** Patterns come from schemas alone, so there are as many as there are kinds of values. */
function compiled(pattern: string): RegExp {
  let found = compiledPatterns.get(pattern);
  if (found === undefined) compiledPatterns.set(pattern, (found = new RegExp(pattern, "u")));
  return found;
}

const isOfTypes = (types: string | readonly string[], value: unknown): boolean =>
  typeof types === "string" ? isOfType(types, value) : types.some((type) => isOfType(type, value));

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "integer":
      return Number.isSafeInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isMap(value);
    default:
      return typeof value === type;
  }
}

/** The requirement on a value, by its type and bounds. */
function expected({ type, patternErrorMessage, minimum, maximum, unit }: Schema): string {
  if (patternErrorMessage !== undefined) return patternErrorMessage;
  // The bounds belong to the number, so that goes last.
  const types = `must be ${[type].flat().map(typeName).reverse().join(" or ")}`;
  const counted = unit === undefined ? "" : ` ${unit}`;
  return minimum === undefined ? types : `${types} from ${minimum} to ${String(maximum)}${counted}`;
}

/** The correct spelling for a value of the wrong type, if it is clear. */
function instead({ type, unit, items, properties, oneOf }: Schema, value: unknown): string | null {
  const names = Object.keys(properties ?? items?.properties ?? {});
  if (type === "array" && names.length > 0) return `each entry has ${names.join(", ")}`;
  if (type === "object" && oneOf === undefined && names.length > 0) return `known here: ${names.join(", ")}`;
  if (typeof value !== "string") return null;
  const yes = type === "boolean" ? yesNo.get(value.toLowerCase()) : undefined;
  if (yes !== undefined) return `write ${yes}`;
  if (![type].flat().includes("integer")) return null;
  if (/^\d+$/.test(value)) return `write ${value} without quotes`;
  const [, digits = "", span = ""] = /^(\d{1,9}) ?(ms|s|min|m|h)$/.exec(value) ?? [];
  const milliseconds = spans.get(span);
  return unit === "ms" && milliseconds !== undefined ? `write ${Number(digits) * milliseconds}` : null;
}

const spans: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["min", 60_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

const yesNo: ReadonlyMap<string, string> = new Map([
  ["on", "true"],
  ["yes", "true"],
  ["true", "true"],
  ["off", "false"],
  ["no", "false"],
  ["false", "false"],
]);

const typeNames: ReadonlyMap<unknown, string> = new Map([
  ["boolean", "true or false"],
  ["integer", "a whole number"],
  ["string", "a text"],
  ["array", "a list"],
  ["object", "a section with properties"],
]);

const typeName = (type: unknown): string => typeNames.get(type) ?? String(type);

/** A value in a message: short, quoted, and without control characters. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a section with properties";
  if (value === null || value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}..."`;
}
