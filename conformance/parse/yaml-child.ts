import { createRequire } from "node:module";
import type * as Yaml from "yaml";

/** The result of the child process: plain data with offsets, so the parent need not trust the child. */
export type RawNode =
  | { readonly at: number; readonly scalar: null | boolean | string | number; readonly plain?: string }
  | { readonly at: number; readonly entries: readonly RawEntry[] }
  | { readonly at: number; readonly items: readonly RawNode[] };
export interface RawEntry {
  readonly key: string;
  readonly at: number;
  readonly value: RawNode;
}
export interface RawProblem {
  readonly at: number;
  readonly message: string;
}
export interface RawReading {
  readonly problems: readonly RawProblem[];
  readonly root?: RawNode;
}

/**
 * The program of the child. It is passed as text (`Function.prototype.toString`), so the build needs no separate file
 * for it. It must therefore use nothing from this module except its argument.
 */
export function readYaml(yaml: typeof Yaml, text: string): RawReading {
  const problems: RawProblem[] = [];
  const refuse = (at: number, message: string): RawNode => {
    problems.push({ at, message });
    return { at, scalar: null };
  };
  const startOf = (node: { range?: [number, number, number] | null }, otherwise: number): number =>
    node.range?.[0] ?? otherwise;
  const convert = (node: unknown, otherwise: number): RawNode => {
    if (node === null || node === undefined) return { at: otherwise, scalar: null };
    if (yaml.isAlias(node)) {
      return refuse(
        startOf(node, otherwise),
        "anchors and aliases are not read: write the value out, or use a fragment",
      );
    }
    if (yaml.isMap(node)) return convertMap(node, startOf(node, otherwise));
    if (yaml.isSeq(node)) {
      const at = startOf(node, otherwise);
      return { at, items: node.items.map((item) => convert(item, at)) };
    }
    if (!yaml.isScalar(node)) return refuse(otherwise, "this kind of node is not read");
    const at = startOf(node, otherwise);
    const value = node.value;
    const simple =
      value === null || typeof value === "boolean" || typeof value === "string" || typeof value === "number";
    if (!simple) return refuse(at, "this type of value is not read");
    return node.type === "PLAIN" && node.source !== undefined
      ? { at, scalar: value, plain: node.source }
      : { at, scalar: value };
  };
  const convertMap = (node: Yaml.YAMLMap, at: number): RawNode => {
    const seen = new Set<string>();
    const entries: RawEntry[] = [];
    for (const pair of node.items) {
      if (!yaml.isScalar(pair.key)) {
        refuse(at, "a key must be a plain word");
        continue;
      }
      const keyAt = startOf(pair.key, at);
      const key = pair.key.source ?? String(pair.key.value);
      if (seen.has(key)) refuse(keyAt, `the key "${key}" occurs twice here`);
      if (key === "__proto__") refuse(keyAt, "the key __proto__ is not read; send it with bodyText");
      seen.add(key);
      entries.push({ key, at: keyAt, value: convert(pair.value, keyAt) });
    }
    return { at, entries };
  };
  // The code above finds duplicate keys: the library's own check compares every key with every other.
  const document = yaml.parseDocument(text, {
    version: "1.2",
    schema: "core",
    strict: true,
    uniqueKeys: false,
    merge: false,
    prettyErrors: false,
  });
  for (const error of [...document.errors, ...document.warnings])
    problems.push({ at: error.pos[0], message: error.message });
  if (problems.length > 0) return { problems };
  const root = convert(document.contents, 0);
  return problems.length > 0 ? { problems } : { problems, root };
}

/** The first message of the child. */
export const ready = "ready";

/** The text for `node -e`: it loads the library and answers each message with a reading. */
export function childProgram(): string {
  const library = createRequire(import.meta.url).resolve("yaml");
  return [
    `const yaml = require(${JSON.stringify(library)});`,
    `const readYaml = ${readYaml.toString()};`,
    "process.on('message', (text) => process.send(readYaml(yaml, text)));",
    "process.on('disconnect', () => process.exit(0));",
    `process.send(${JSON.stringify(ready)});`,
  ].join("\n");
}
