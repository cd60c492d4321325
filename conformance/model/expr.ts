import { isList, isMap, type Value } from "./value.ts";

/** The one reader of references: `${name}` and `${name.part}` in a text. */
const reference = /\$\{([^}]*)\}/g;

/** Names of the references in a text, in their order. */
export function referencesIn(text: string): string[] {
  return [...text.matchAll(reference)].map(([, name = ""]) => name);
}

/** The name, where the whole text is one reference: it then stands for the value and keeps its type. */
export function soleReference(value: Value | undefined): string | undefined {
  return typeof value === "string" ? /^\$\{([^}]*)\}$/.exec(value)?.[1] : undefined;
}

/** Has the text, or a text in the value, a reference in it? What it stands for is not known before the run. */
export function isOpen(value: Value | undefined): boolean {
  if (typeof value === "string") return value.includes("${");
  if (isList(value)) return value.some(isOpen);
  return isMap(value) && Object.values(value).some(isOpen);
}

/** The text with something in place of each reference. */
export function withReferences(text: string, replace: (name: string) => string): string {
  return text.replace(reference, (_, name: string) => replace(name));
}

/** Where a text is an expression over variables, and not a text with `${references}` in it. */
const expressions = new Set(["$calc", "$decVar", "$eqVar", "$neVar"]);
const named = /(?<=\$\{)\w+/g;
/** What is followed by a bracket is a function, and what stands behind a point a part of the variable before it. */
const variable = /(?<![\w.])[A-Za-z_]\w*\b(?!\()/g;

/** The value, with other names for the variables that its texts name. */
export function renameReferences(value: Value, rename: (name: string) => string, pattern = named): Value {
  if (typeof value === "string") return value.replace(pattern, (name) => rename(name));
  if (isList(value)) return value.map((item) => renameReferences(item, rename, pattern));
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, Value] => [
    key,
    renameReferences(item, rename, expressions.has(key) ? variable : named),
  ]);
  return Object.fromEntries(entries);
}

/** The variables that the texts of a value name. */
export function namesIn(value: Value): ReadonlySet<string> {
  const names = new Set<string>();
  renameReferences(value, (name) => {
    names.add(name);
    return name;
  });
  return names;
}
