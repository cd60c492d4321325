import { isTest, isTypeScript, lineAt, type TextFile } from "./project.ts";
import { bannedIn, type Problem, perFile } from "./rule.ts";

const mostLines = 350;
const boundaries = new Set(["simulator/index.ts", "conformance/index.ts"]);

export const namedExports = perFile(
  "named-exports",
  (file) => isTypeScript(file) && !file.path.endsWith(".config.ts"),
  (file) =>
    bannedIn(file, [
      {
        pattern: /\bexport\s+default\b/,
        message: "default export: name it, so that it has one name everywhere",
      },
      { pattern: /\bexport\s*\{[^}]*\bas\s+default\b/, message: "default export: name it" },
    ]),
);

export const twoBoundaries = perFile(
  "two-boundaries",
  (file) => /(?:^|\/)index\.ts$/.test(file.path) && !boundaries.has(file.path),
  (file) => [
    {
      path: file.path,
      line: 1,
      message: "index.ts is for the two boundaries; name the file after what is in it",
    },
  ],
);

export const oneScreen = perFile(
  "one-screen",
  (file) => /^bin\/commands\/(?!serve|watch).*(?<!\.test)\.ts$/.test(file.path),
  (file) =>
    bannedIn(file, [
      {
        pattern: /\bprocess\.std(?:out|err)\.write\b|\bconsole\.\w+\(/,
        message: "a way to the screen of its own: bin/screen.ts makes every text harmless",
      },
    ]),
);

export const noAny = perFile("no-any", isTypeScript, (file) =>
  bannedIn(file, [
    {
      pattern: /(?<=(?::|<|,|\||&|\bas|=>|\bis)\s*)\bany\b(?!\s*(?:[:(.]|=>))/,
      message: "any: use unknown and decode it",
    },
  ]),
);

export const noNonNull = perFile("no-non-null", isTypeScript, (file) =>
  bannedIn(file, [
    { pattern: /[\w$)\]]!(?!=)/, message: "non-null assertion: handle the other case, or use invariant()" },
  ]),
);

/** What silences the compiler hides the mistakes that it is there to find. */
export const noSilencing = perFile("no-silencing", isTypeScript, (file) =>
  inComments(
    file,
    /@ts-(?:ignore|expect-error|nocheck)/,
    "the compiler is silenced: correct the type instead",
  ),
);

export const noLeftovers = perFile("no-leftovers", isTypeScript, (file) =>
  inComments(
    file,
    new RegExp(`\\b(?:${["TO", "FIX"].map((a, i) => a + ["DO", "ME"][i]).join("|")}|XXX)\\b`),
    "a note to oneself: do it, or write it down where work is planned",
  ),
);

export const shortFiles = perFile(
  "short-files",
  (file) => isTypeScript(file) && !isTest(file),
  (file) => {
    const count = file.lines.length - 1;
    if (count <= mostLines) return [];
    return [
      {
        path: file.path,
        line: mostLines,
        message: `${count} lines: a file is one idea, of at most ${mostLines}`,
      },
    ];
  },
);

function inComments(file: TextFile, pattern: RegExp, message: string): Problem[] {
  return file
    .lexed()
    .comments.filter(({ text }) => pattern.test(text))
    .map(({ start, text }) => ({
      path: file.path,
      line: lineAt(file, start + 2 + text.search(pattern)),
      message,
    }));
}
