import { isList, isMap, type Value } from "../model/value.ts";

/** Where a text is an expression over variables, and not a text with `${references}` in it. */
const expressions = new Set(["$calc", "$decVar", "$eqVar", "$neVar"]);
const reference = /(?<=\$\{)\w+/g;
/** What is followed by a bracket is a function, and what stands behind a point a part of the variable before it. */
const variable = /(?<![\w.])[A-Za-z_]\w*\b(?!\()/g;

/** The value, with other names for the variables that its texts name. */
export function renameReferences(value: Value, rename: (name: string) => string, pattern = reference): Value {
  if (typeof value === "string") return value.replace(pattern, (name) => rename(name));
  if (isList(value)) return value.map((item) => renameReferences(item, rename, pattern));
  if (!isMap(value)) return value;
  const entries = Object.entries(value).map(([key, item]): [string, Value] => [
    key,
    renameReferences(item, rename, expressions.has(key) ? variable : reference),
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
