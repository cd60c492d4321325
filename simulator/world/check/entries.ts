/**
 * The parts of a world that are sound enough to be compared with each other. All problems are reported at
 * once, so the second look works on a world in which some values are already known to be wrong: those are
 * left out, and what they belong to keeps its place in the list.
 */

import { nearestName } from "../../domain/nearest-name.ts";
import type { Path, PathProblem } from "../../schema/problem.ts";
import { demoWorld } from "../demo-world.ts";
import type { AssetEntry, ClientEntry, FaultEntry, KeyEntry, ProductEntry, WorldFile } from "../schema.ts";

/** Null where an entry lacks what every check of it needs. */
type Slots<Entry> = readonly (Entry | null)[];

export interface Entries {
  readonly assets: Slots<AssetEntry>;
  readonly products: Slots<ProductEntry>;
  readonly clients: Slots<Partial<ClientEntry>>;
  readonly keys: Slots<Partial<KeyEntry>>;
  readonly faults: Slots<Partial<FaultEntry>>;
  readonly auth: NonNullable<WorldFile["settings"]>["auth"];
  /** Names that other entries may refer to; null when the section is missing or wrong as a whole. */
  readonly names: Readonly<Record<NamedSection, ReadonlySet<string> | null>>;
  /** Misspelled names: a reference may mean one of them. */
  readonly doubtful: ReadonlySet<string>;
}

const nameFields = { assets: "symbol", products: "id", clients: "name", keys: "name" } as const;
export type NamedSection = keyof typeof nameFields;
const sections = ["assets", "products", "clients", "keys"] as const;

type Loose = Readonly<Record<string, unknown>>;

/** `value` must be a map; `known` are the problems of its shape. */
export function soundEntries(value: Loose, known: readonly PathProblem[]): Entries {
  const sound = without(value, known.map(cutOf));
  const settings = sound["settings"] as WorldFile["settings"];
  const names = (section: NamedSection): ReadonlySet<string> | null => {
    const list = known.some(({ path }) => path.length === 1 && path[0] === section)
      ? null
      : listOf(value, section);
    return list === null ? null : new Set(list.flatMap((entry) => textIn(entry, nameFields[section])));
  };
  return {
    assets: slots<AssetEntry>(sound, "assets", ["symbol"]),
    products: slots<ProductEntry>(sound, "products", [
      "id",
      "baseIncrement",
      "priceIncrement",
      "referencePrice",
    ]),
    clients: slots<Partial<ClientEntry>>(sound, "clients", []),
    keys: slots<Partial<KeyEntry>>(sound, "keys", []),
    faults: slots<Partial<FaultEntry>>(sound, "faults", []),
    auth: settings?.auth,
    names: {
      assets: names("assets"),
      products: names("products"),
      clients: names("clients"),
      keys: names("keys"),
    },
    doubtful: new Set(known.flatMap((problem) => doubtfulName(value, problem))),
  };
}

/** How much goes with a wrong value: its property, or one value among a client's balances and rules. */
const cutOf = ({ path }: PathProblem): Path => path.slice(0, path[0] === "clients" ? 5 : 3);

/** A copy without the values at some paths. Whole sections and entries stay: `slots` looks at them. */
function without(value: Loose, cuts: readonly Path[]): Loose {
  const dropped = new Set(cuts.filter((path) => path.length > 2).map(String));
  const copy = (node: unknown, path: Path): unknown => {
    if (Array.isArray(node)) return node.map((item, index) => copy(item, [...path, index]));
    if (typeof node !== "object" || node === null) return node;
    const members = Object.entries(node).filter(([name]) => !dropped.has(String([...path, name])));
    return Object.fromEntries(members.map(([name, member]) => [name, copy(member, [...path, name])]));
  };
  return copy(value, []) as Loose;
}

function slots<Entry>(world: Loose, section: string, needed: readonly string[]): Slots<Entry> {
  return (listOf(world, section) ?? []).map((entry) => {
    const whole =
      typeof entry === "object" && entry !== null && needed.every((name) => Object.hasOwn(entry, name));
    return whole ? (entry as Entry) : null;
  });
}

function listOf(world: Loose, section: string): readonly unknown[] | null {
  const given = world[section] ?? (world["extends"] === "demo" ? (demoWorld as Loose)[section] : undefined);
  return Array.isArray(given) ? given : null;
}

function textIn(entry: unknown, property: string): readonly string[] {
  const text = typeof entry === "object" && entry !== null ? (entry as Loose)[property] : undefined;
  return typeof text === "string" ? [text] : [];
}

function doubtfulName(value: Loose, { path: [section, index, property] }: PathProblem): readonly string[] {
  const named = sections.find((name) => name === section);
  if (named === undefined || typeof index !== "number" || property !== nameFields[named]) return [];
  return textIn(listOf(value, named)?.[index], property);
}

/** The lists that a world needs and neither has nor takes from the demo world. */
export function checkSections(value: Loose): readonly PathProblem[] {
  // Any other value was meant to be "demo".
  if (Object.hasOwn(value, "extends")) return [];
  // A misspelled section is reported as such.
  const meant = new Set(Object.keys(value).map((name) => nearestName(name, sections)));
  return sections
    .filter((section) => !Object.hasOwn(value, section) && !meant.has(section))
    .map((section) => ({
      path: [],
      on: "value",
      issue: `has no section ${section}`,
      advice: `add it, or write "extends: demo" to take ${section} from the demo world`,
    }));
}
