import { isTest, lineAt, type TextFile } from "./project.ts";
import { type Problem, perFile } from "./rule.ts";

const isCode = ({ path }: TextFile): boolean => /\.(?:ts|mjs|cjs)$/.test(path);

/**
 * A source states its purpose in a doc comment: on a declaration, or, if it is about the whole file, in its header,
 * which comes first. Tests state it in their titles.
 */
export const header = perFile("header", isCode, (file) => {
  const docs = file
    .lexed()
    .comments.filter(({ start, text }) => text.startsWith("*") && file.text[start - 1] !== " ");
  const lost = docs.filter(({ start, text }) => {
    const behind = file.text.slice(start + text.length + "/**/".length);
    return behind.startsWith("\n\n") && !isFirst(file, start);
  });
  return [
    ...(docs.length > 0 || isTest(file)
      ? []
      : problem(file, 0, "the purpose is not stated: begin with /** … */, or put it on a declaration")),
    ...(/^\/\/ (?!tidy-allow)/.test(file.text) ? problem(file, 0, "a header is written /** … */") : []),
    ...lost.flatMap(({ start }) =>
      problem(file, start, "a header is above the imports, and every other doc comment is on a declaration"),
    ),
  ];
});

/** Only lines for tools are above it. */
const isFirst = (file: TextFile, start: number): boolean =>
  /^(?:#!.*\n)?(?:\/\*.*\*\/\n)?$/.test(file.text.slice(0, start));

const problem = (file: TextFile, at: number, message: string): Problem[] => [
  { path: file.path, line: lineAt(file, at), message },
];
