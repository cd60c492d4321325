import { lineAt, type TextFile } from "./project.ts";
import type { Problem, Rule } from "./rule.ts";

const page = "docs/glossary.md";
const isCode = ({ path }: TextFile): boolean => /\.(?:ts|mjs|cjs)$/.test(path);

/** The names in the code are those of the glossary: a word that its last column rules out is no part of one. */
export const glossary: Rule = {
  name: "glossary",
  check: (project) => {
    const ruledOut = ruledOutBy(project.find(({ path }) => path === page)?.text ?? "");
    return project.filter(isCode).flatMap((file) => [...inPath(file, ruledOut), ...inNames(file, ruledOut)]);
  },
};

/** Each word that is ruled out, in small letters, with its replacement. */
function ruledOutBy(text: string): ReadonlyMap<string, string> {
  const rows = text.split("\n").filter((line) => line.startsWith("| "));
  return new Map(
    rows.flatMap((row) => {
      const [, word = "", , , not = ""] = row.split("|");
      return Array.from(
        not.matchAll(/`(\w+)`/g),
        ([, ruled = ""]) => [ruled.toLowerCase(), word.trim()] as const,
      );
    }),
  );
}

function inPath({ path }: TextFile, ruledOut: ReadonlyMap<string, string>): Problem[] {
  return wordsIn(path).flatMap((word) => problem(path, 1, word, ruledOut));
}

function inNames(file: TextFile, ruledOut: ReadonlyMap<string, string>): Problem[] {
  return Array.from(file.lexed().code.matchAll(/[A-Za-z_$][\w$]*/g)).flatMap(({ 0: name, index }) =>
    wordsIn(name).flatMap((word) => problem(file.path, lineAt(file, index), word, ruledOut)),
  );
}

/** The words of a name, and each pair of neighbours as one: `tidyUpAll` has `tidy`, `up`, `all`, `tidyup`, `upall`. */
function wordsIn(name: string): string[] {
  const words = Array.from(name.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g), ([word]) => word.toLowerCase());
  return [...words, ...words.slice(1).map((word, index) => `${words[index]}${word}`)];
}

function problem(path: string, line: number, word: string, ruledOut: ReadonlyMap<string, string>): Problem[] {
  const ours = ruledOut.get(word) ?? ruledOut.get(word.replace(/e?s$/, ""));
  return ours === undefined ? [] : [{ path, line, message: `"${word}" in a name: ${page} says "${ours}"` }];
}
