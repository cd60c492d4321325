/** What is wrong with a world file, where, and what to do: for a person, and one line at a time. */

/** A place in a file: lines and columns count from 1, `length` is how much to underline. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  /** The line as it stands in the file. */
  readonly source: string;
}

export interface WorldProblem {
  readonly message: string;
  /** What to write instead, or null. */
  readonly advice: string | null;
  /** Null when the world did not come from a text. */
  readonly place: Place | null;
}

/** Where a value stands inside a world: names of sections and positions in lists. */
export type Path = readonly (string | number)[];

/** A problem with the value at a path; `key` underlines the name of the property instead of its value. */
export interface PathProblem {
  readonly path: Path;
  readonly on: "key" | "value";
  /** What is said of the value, without its name: "must be true or false". */
  readonly issue: string;
  readonly advice: string | null;
}

/** `products[0].id`, as it is written in messages. */
export function spellPath(path: Path): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  return text.startsWith(".") ? text.slice(1) : text;
}

/** The problem as a sentence about a world. */
export const sentenceOf = ({ path, issue }: PathProblem): string =>
  `${path.length === 0 ? "the world" : spellPath(path)} ${issue}`;

/** One text for one path, to look things up by. */
export const pointerOf = (path: Path): string => path.join("\n");

const WIDEST = 110;

/** `file:line:column message`, the line, a caret below the fault, and the advice. */
export function formatProblem(problem: WorldProblem): string {
  const { place } = problem;
  const message = visible(problem.message);
  const hint = problem.advice === null ? [] : [`  ${visible(problem.advice)}`];
  if (place === null) return [message, ...hint].join("\n");
  const { text, before } = excerpt(place);
  const number = String(place.line);
  const margin = " ".repeat(number.length);
  const length = Math.max(1, Math.min(place.length, text.length - before));
  return [
    `${visible(place.file)}:${place.line}:${place.column}: ${message}`,
    `  ${number} | ${text}`,
    `  ${margin} | ${" ".repeat(Array.from(text.slice(0, before)).length)}${"^".repeat(length)}`,
    ...hint,
  ].join("\n");
}

/** A long line is cut around the fault; `before` is how much of the excerpt stands in front of it. */
function excerpt(place: Place): { readonly text: string; readonly before: number } {
  const clean = visible(place.source);
  const before = place.column - 1;
  if (clean.length <= WIDEST) return { text: clean.trimEnd(), before };
  const start = Math.max(0, before - WIDEST / 2);
  const cut = clean.slice(start, start + WIDEST).trimEnd();
  return { text: start === 0 ? cut : `…${cut.slice(1)}`, before: before - start };
}

/**
 * What a terminal would act upon instead of showing it becomes blanks of the same length: a caret stays in
 * place.
 */
const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => " ".repeat(char.length));

export const formatProblems = (problems: readonly WorldProblem[]): string =>
  problems.map(formatProblem).join("\n\n");
