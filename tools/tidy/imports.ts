import path from "node:path";
import { lineAt, type TextFile } from "./project.ts";

export type Import = Readonly<{ specifier: string; line: number; target: Target }>;

/** A file of ours by its path from the root, or a package (of npm, or of Node with its `node:`). */
export type Target = Readonly<{ kind: "file"; path: string } | { kind: "package"; name: string }>;

// Static imports and re-exports, import(), and a URL relative to the module, which is how a worker or child is started.
const beforeSpecifier =
  /(?:\b(?:import|export)\b[^;"'`]*?\bfrom|\bimport|\bimport\s*\(|\brequire\s*\(|\brequire\.resolve\s*\()\s*$/;

export function importsOf(file: TextFile): Import[] {
  const { code, strings } = file.lexed();
  return strings.flatMap(({ start, text }) => {
    // A statement is short; looking further back would only cost time.
    const before = code.slice(Math.max(0, start - 2_000), start);
    if (!beforeSpecifier.test(before) && !(before.endsWith("new URL(") && text.endsWith(".ts"))) return [];
    return [{ specifier: text, line: lineAt(file, start), target: resolve(file.path, text) }];
  });
}

function resolve(from: string, specifier: string): Target {
  if (specifier.startsWith(".")) {
    return { kind: "file", path: path.posix.join(path.posix.dirname(from), specifier) };
  }
  const parts = specifier.split("/");
  const length = specifier.startsWith("@") ? 2 : 1;
  return {
    kind: "package",
    name: specifier.startsWith("node:") ? specifier : parts.slice(0, length).join("/"),
  };
}
