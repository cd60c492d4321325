import { lineAt, type TextFile } from "./project.ts";
import type { Problem, Rule } from "./rule.ts";

const page = "docs/glossary.md";
const isCode = ({ path }: TextFile): boolean => /\.(?:ts|mjs|cjs)$/.test(path);

/** The names in the code are those of the glossary: a word that its last column rules out is no part of one. */
export const glossary: Rule = {
  name: "glossary",
  check: (project) => {
    const ruledOut = ruledOutBy(project.find(({ path }) => path === page)?.text ?? "");
    // Most names occur in many places.
    const known = new Map<string, readonly string[]>();
    const messagesAbout = (name: string): readonly string[] => {
      const messages = known.get(name) ?? wordsIn(name).flatMap((word) => messageAbout(word, ruledOut));
      known.set(name, messages);
      return messages;
    };
    return project
      .filter(isCode)
      .flatMap((file) => [
        ...messagesAbout(file.path).map((message) => ({ path: file.path, line: 1, message })),
        ...inNames(file, messagesAbout),
      ]);
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

function inNames(file: TextFile, messagesAbout: (name: string) => readonly string[]): Problem[] {
  return Array.from(file.lexed().code.matchAll(/[A-Za-z_$][\w$]*/g)).flatMap(({ 0: name, index }) =>
    messagesAbout(name).map((message) => ({ path: file.path, line: lineAt(file, index), message })),
  );
}

/** The words of a name, and each pair of neighbours as one: `tidyUpAll` has `tidy`, `up`, `all`, `tidyup`, `upall`. */
function wordsIn(name: string): string[] {
  const words = Array.from(name.matchAll(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g), ([word]) => word.toLowerCase());
  return [...words, ...words.slice(1).map((word, index) => `${words[index]}${word}`)];
}

function messageAbout(word: string, ruledOut: ReadonlyMap<string, string>): string[] {
  const ours = ruledOut.get(word) ?? ruledOut.get(word.replace(/e?s$/, ""));
  return ours === undefined ? [] : [`"${word}" in a name: ${page} says "${ours}"`];
}
