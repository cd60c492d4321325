import { lineAt, type Project, type TextFile } from "./project.ts";

export type Problem = Readonly<{ path: string; line: number; message: string }>;

export type Rule = Readonly<{
  /** Also the word in a comment that allows an exception: `tidy-allow <name>: <reason>`, or `tidy-allow-file …`. */
  name: string;
  check: (project: Project) => readonly Problem[];
}>;

/** The problems of all rules, without those that a line allows and gives a reason for. */
export function problemsIn(project: Project, rules: readonly Rule[]): string[] {
  const byPath = new Map(project.map((file) => [file.path, file]));
  return rules.flatMap((rule) =>
    rule
      .check(project)
      .filter((problem) => !isAllowed(byPath.get(problem.path), problem.line, rule.name))
      .map((problem) => `${problem.path}:${problem.line}: ${problem.message} [${rule.name}]`),
  );
}

/**
 * An exception for a line is on it or on the one above; one for a file is anywhere in it. The reason is more than
 * a word.
 */
function isAllowed(file: TextFile | undefined, line: number, rule: string): boolean {
  if (file === undefined) return false;
  const reason = `${rule}: \\S.{9,}`;
  return (
    new RegExp(`tidy-allow-file ${reason}`).test(file.text) ||
    [file.lines[line - 1], file.lines[line - 2]].some((text = "") =>
      new RegExp(`tidy-allow ${reason}`).test(text),
    )
  );
}

export type Ban = Readonly<{ pattern: RegExp; message: string }>;

/** Every match of the bans in the code of a file; comments and strings do not count. */
export function bannedIn(file: TextFile, bans: readonly Ban[]): Problem[] {
  return bans.flatMap(({ pattern, message }) =>
    Array.from(file.lexed().code.matchAll(new RegExp(pattern, "g")), (match) => ({
      path: file.path,
      line: lineAt(file, match.index),
      message,
    })),
  );
}

/** A rule that looks at one file at a time. */
export function perFile(
  name: string,
  applies: (file: TextFile) => boolean,
  check: (file: TextFile) => readonly Problem[],
): Rule {
  return { name, check: (project) => project.filter(applies).flatMap(check) };
}
