import { isList, isMap, type Value } from "./value.ts";

/** The one reader of references: `${name}` and `${name.part}` in a text. */
const reference = /\$\{([^}]*)\}/g;

/** Names of the references in a text, in their order. */
export function referencesIn(text: string): string[] {
  return text.includes("${") ? [...text.matchAll(reference)].map(([, name = ""]) => name) : [];
}

/** The name, if the whole text is one reference. Such a reference stands for the value and keeps its type. */
export function soleReference(value: Value | undefined): string | undefined {
  return typeof value === "string" ? /^\$\{([^}]*)\}$/.exec(value)?.[1] : undefined;
}

/** Does the value contain a reference in a text? Its value is not known before the run. */
export function isOpen(value: Value | undefined): boolean {
  if (typeof value === "string") return value.includes("${");
  if (isList(value)) return value.some(isOpen);
  return isMap(value) && Object.values(value).some(isOpen);
}

/** The text with each reference replaced. */
export function withReferences(text: string, replace: (name: string) => string): string {
  return text.replace(reference, (_, name: string) => replace(name));
}

/** Keys whose text is an expression over variables, not a text with `${references}`. */
const expressions = new Set(["$calc", "$decVar", "$eqVar", "$neVar"]);
const named = /(?<=\$\{)\w+/g;
/** A name before a bracket is a function, and a name behind a point is a part of the variable before it. */
const variable = /(?<![\w.])[A-Za-z_]\w*\b(?!\()/g;

/** Keys whose text is the name of a variable. */
const bareNames: ReadonlySet<string> = new Set(["$eqVar", "$neVar"]);

/**
 * The variables that a text names under a key: in references, bare, or as the argument of a macro. Expressions are left
 * out: they also name members of the answer, and ways of rounding.
 */
export function variablesIn(text: string, key: string): string[] {
  const head = (name: string): string => name.split(".")[0] ?? "";
  const argument = key === "$macro" ? /\(([A-Za-z_][\w.]*)\)$/.exec(text)?.[1] : undefined;
  const bare = bareNames.has(key) && !isOpen(text) ? text : argument;
  return [...referencesIn(text), ...(bare === undefined ? [] : [bare])].map(head);
}

/** The value with the variables in its texts renamed. */
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
