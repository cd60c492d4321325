import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { type Lexed, lex } from "./lexer.ts";

/** The tree as the rules see it: text files by their path from the root, with forward slashes. */
export type Project = readonly TextFile[];

export type TextFile = Readonly<{ path: string; text: string; lines: readonly string[] }> &
  Readonly<{ lexed: () => Lexed }>;

const skippedFolders = new Set(["node_modules", "dist", "coverage", ".git"]);
const textEndings =
  /\.(?:ts|mjs|cjs|js|json|jsonc|ndjson|ya?ml|md|sql|html|css|sh|py|java|cs|go|php|rb|rs|service|toml|txt|svg)$/;
const pictures = /\.png$/;
const textNames = new Set([
  "gatewright",
  "run",
  "LICENSE",
  "Dockerfile",
  ".editorconfig",
  ".gitignore",
  ".npmrc",
  ".oxlintrc.json",
]);

export function readProject(root: string): Project {
  return filesBelow(root, "").map((name) =>
    // A picture has a name that pages link to, and no text.
    textFile(name, pictures.test(name) ? "" : readFileSync(path.join(root, name), "utf8")),
  );
}

/** For tests of the rules: a project out of thin air. */
export function projectOf(files: Readonly<Record<string, string>>): Project {
  return Object.entries(files).map(([name, text]) => textFile(name, text));
}

export function fileAt(project: Project, name: string): TextFile | undefined {
  return project.find((file) => file.path === name);
}

export function lineAt(file: TextFile, offset: number): number {
  let line = 1;
  for (let at = file.text.indexOf("\n"); at !== -1 && at < offset; at = file.text.indexOf("\n", at + 1))
    line += 1;
  return line;
}

export const isTypeScript = (file: TextFile): boolean => file.path.endsWith(".ts");
export const isTest = (file: TextFile): boolean => /\.test\.ts$|(?:^|\/)testing\//.test(file.path);

function textFile(name: string, text: string): TextFile {
  let lexed: Lexed | undefined;
  return {
    path: name,
    text,
    lines: text.split("\n"),
    lexed: () => {
      lexed ??= lex(text);
      return lexed;
    },
  };
}

function filesBelow(root: string, folder: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true })) {
    const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!skippedFolders.has(entry.name) && !entry.name.endsWith(".lock"))
        found.push(...filesBelow(root, name));
    } else if (
      entry.isFile() &&
      (textEndings.test(entry.name) || pictures.test(entry.name) || textNames.has(entry.name))
    )
      found.push(name);
  }
  return found.toSorted();
}
