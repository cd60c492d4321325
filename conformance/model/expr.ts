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
