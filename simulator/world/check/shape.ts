/**
 * Each value on its own: names, types, spellings and bounds, as a schema has them, in sentences for a person. The one reader of
 * world files and of bodies of the control surface.
 */
import { didYouMean, nearestName } from "../../domain/nearest-name.ts";
import { type Path, type PathProblem, pointerOf } from "../problem.ts";
import type { Spellings } from "../read-yaml.ts";
import { QUOTED_DECIMALS, type Schema } from "../schema/fields.ts";

/** Everything that is wrong with the shape of `value`; an empty list means that the schema holds. */
export function checkShape(
  schema: Schema,
  value: unknown,
  spellings: Spellings = new Map(),
): readonly PathProblem[] {
  const check = new ShapeCheck(spellings);
  check.value(schema, value, []);
  return check.problems;
}

type Loose = Readonly<Record<string, unknown>>;

const isMap = (value: unknown): value is Loose =>
  typeof value === "object" && value !== null && !Array.isArray(value);

class ShapeCheck {
  readonly problems: PathProblem[] = [];
  private readonly spellings: Spellings;

  constructor(spellings: Spellings) {
    this.spellings = spellings;
  }

  value(schema: Schema, value: unknown, path: Path): void {
    const { discriminator, enum: choices, const: only, type } = schema;
    if (choices !== undefined) this.choice(choices, value, path);
    else if (only !== undefined) this.choice([only], value, path);
    else if (type !== undefined && ![type].flat().some((name) => isOfType(name, value)))
      this.refuse(path, ...wrongType(schema, value, this.spellings.get(pointerOf(path))));
    else if (typeof value === "string") this.text(schema, value, path);
    else if (typeof value === "number") this.number(schema, value, path);
    else if (Array.isArray(value)) this.list(schema, value, path);
    else if (isMap(value) && discriminator !== undefined)
      this.tagged(schema, discriminator.propertyName, value, path);
    else if (isMap(value)) this.section(schema, value, path);
  }

  private refuse(path: Path, issue: string, advice: string | null = null): void {
    this.problems.push({ path, on: "value", issue, advice });
  }

  private choice(choices: readonly (string | number)[], value: unknown, path: Path): void {
    if (choices.some((choice) => choice === value)) return;
    const names = choices.map(String);
    const choice = names.length === 1 ? names.join("") : `one of ${names.join(", ")}`;
    const near = typeof value === "string" ? didYouMean(value, names) : null;
    this.refuse(path, `must be ${choice}, was ${shown(value)}`, near);
  }

  private text(schema: Schema, value: string, path: Path): void {
    const { pattern, patternErrorMessage = "is spelled in a wrong way", minLength = 0, maxLength } = schema;
    if (pattern !== undefined && !new RegExp(pattern, "u").test(value))
      this.refuse(path, `${patternErrorMessage}, was ${shown(value)}`);
    const length = Array.from(value).length;
    if (maxLength === undefined || (length >= minLength && length <= maxLength)) return;
    this.refuse(path, `must have ${minLength} to ${maxLength} characters, was ${shown(value)}`);
  }

  private number(schema: Schema, value: number, path: Path): void {
    const { minimum = value, maximum = value } = schema;
    if (value < minimum || value > maximum) this.refuse(path, `${expected(schema)}, was ${shown(value)}`);
  }

  private list(schema: Schema, value: readonly unknown[], path: Path): void {
    const { items = {}, minItems = 0, maxItems = value.length, uniqueItems = false } = schema;
    if (value.length < minItems) this.refuse(path, "must have at least one entry");
    if (value.length > maxItems)
      return this.refuse(path, `must have at most ${maxItems} entries, was a list of ${value.length}`);
    if (uniqueItems && new Set(value).size < value.length)
      this.refuse(path, "has the same item twice", "remove one of the two");
    for (const [index, item] of value.entries()) this.value(items, item, [...path, index]);
  }

  private tagged(schema: Schema, tag: string, value: Loose, path: Path): void {
    const branches = schema.oneOf ?? [];
    const kinds = branches.map((branch) => branch.properties?.[tag]?.const ?? "");
    if (!Object.hasOwn(value, tag)) return this.missing([...path, tag], `: one of ${kinds.join(", ")}`);
    const branch = branches[kinds.findIndex((kind) => kind === value[tag])];
    if (branch === undefined) this.choice(kinds, value[tag], [...path, tag]);
    else this.section(branch, value, path);
  }

  private section(schema: Schema, value: Loose, path: Path): void {
    const { properties = {}, required = [], additionalProperties } = schema;
    const meant = new Set<string>();
    for (const [name, member] of Object.entries(value)) {
      const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties || undefined;
      if (known === undefined) this.unknown([...path, name], name, Object.keys(properties), meant);
      else this.value(known, member, [...path, name]);
    }
    // That a misspelled member is missing need not be said as well.
    for (const name of required)
      if (!Object.hasOwn(value, name) && !meant.has(name)) this.missing([...path, name]);
  }

  private missing(path: Path, what = ""): void {
    this.problems.push({ path, on: "key", issue: `is required${what}`, advice: null });
  }

  private unknown(path: Path, name: string, known: readonly string[], meant: Set<string>): void {
    const near = nearestName(name, known);
    if (near !== null) meant.add(near);
    const list = known.length === 0 ? "nothing is taken here" : `known here: ${known.join(", ")}`;
    this.problems.push({ path, on: "key", issue: "is unknown", advice: didYouMean(name, known) ?? list });
  }
}

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

/** The issue, and what to write instead where that is clear. `written` is a number as it stood in the text. */
function wrongType(schema: Schema, value: unknown, written?: string): readonly [string, string | null] {
  if (QUOTED_DECIMALS.has(schema.pattern ?? "") && typeof value === "number") {
    const text = written ?? String(value);
    return [
      `must be a decimal in quotes, was the number ${text}`,
      `write "${text}": a number would lose digits`,
    ];
  }
  return [`${expected(schema)}, was ${shown(value)}`, instead(schema, value)];
}

/** What a value must be, by its type and bounds. */
function expected({ type, patternErrorMessage, minimum, maximum, unit }: Schema): string {
  if (patternErrorMessage !== undefined) return patternErrorMessage;
  // The bounds belong to the number, so that goes last.
  const types = `must be ${[type].flat().map(typeName).reverse().join(" or ")}`;
  const counted = unit === undefined ? "" : ` ${unit}`;
  return minimum === undefined ? types : `${types} from ${minimum} to ${String(maximum)}${counted}`;
}

/** What to write for a value of the wrong type, where that is clear. */
function instead({ type, unit, items, properties, oneOf }: Schema, value: unknown): string | null {
  const names = Object.keys(properties ?? items?.properties ?? {});
  if (type === "array" && names.length > 0) return `each entry has ${names.join(", ")}`;
  if (type === "object" && oneOf === undefined && names.length > 0) return `known here: ${names.join(", ")}`;
  if (typeof value !== "string") return null;
  const yes = type === "boolean" ? YES_NO.get(value.toLowerCase()) : undefined;
  if (yes !== undefined) return `write ${yes}`;
  if (![type].flat().includes("integer")) return null;
  if (/^\d+$/.test(value)) return `write ${value} without quotes`;
  const [, digits = "", span = ""] = /^(\d{1,9}) ?(ms|s|min|m|h)$/.exec(value) ?? [];
  const milliseconds = SPANS.get(span);
  return unit === "ms" && milliseconds !== undefined ? `write ${Number(digits) * milliseconds}` : null;
}

const SPANS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1000],
  ["min", 60_000],
  ["m", 60_000],
  ["h", 3_600_000],
]);

const YES_NO: ReadonlyMap<string, string> = new Map([
  ["on", "true"],
  ["yes", "true"],
  ["true", "true"],
  ["off", "false"],
  ["no", "false"],
  ["false", "false"],
]);

const TYPE_NAMES: ReadonlyMap<unknown, string> = new Map([
  ["boolean", "true or false"],
  ["integer", "a whole number"],
  ["string", "a text"],
  ["array", "a list"],
  ["object", "a section with properties"],
]);

const typeName = (type: unknown): string => TYPE_NAMES.get(type) ?? String(type);

/** A value in a message: short, quoted, and without control characters. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "a section with properties";
  if (value === null || value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length <= 60 ? text : `${text.slice(0, 57)}..."`;
}
