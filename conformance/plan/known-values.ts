import { soleReference } from "../model/expr.ts";
import { isList, isMap, mergePatch, type Value, type ValueMap } from "../model/value.ts";

export interface Names {
  readonly vars: ValueMap;
  readonly row: ValueMap;
}

/** Variables that refer to each other deeper than this are not replaced. */
const mostNesting = 12;

/** Replaces references to variables and columns by their values and applies merges; all other parts stay. */
export function resolved(value: Value, names: Names, depth = 0): Value {
  if (depth > mostNesting) return value;
  if (typeof value === "string") {
    const name = soleReference(value);
    const found = name === undefined ? undefined : valueOf(name, names);
    return found === undefined ? value : resolved(found, names, depth + 1);
  }
  if (isList(value)) return value.map((item) => resolved(item, names, depth + 1));
  if (!isMap(value)) return value;
  const parts = value["$merge"];
  if (isList(parts)) {
    const merged = parts.map((part) => resolved(part, names, depth + 1));
    const opaque = merged.find((part) => typeof part === "string");
    return opaque ?? merged.reduce((base: Value, patch) => mergePatch(base, patch), {});
  }
  const entries = Object.entries(value).filter(([, item]) => !isMissingColumn(item, names));
  return Object.fromEntries(entries.map(([key, item]) => [key, resolved(item, names, depth + 1)]));
}

function isMissingColumn(item: Value, { row }: Names): boolean {
  const [head, column = "", ...deeper] = soleReference(item)?.split(".") ?? [];
  return head === "row" && deeper.length === 0 && row[column] === undefined;
}

function valueOf(name: string, { vars, row }: Names): Value | undefined {
  const [head = "", ...path] = name.split(".");
  let value: Value | undefined = head === "row" ? row : vars[head];
  for (const key of path) value = isMap(value) ? value[key] : undefined;
  return value;
}
