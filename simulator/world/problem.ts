/** A mistake in a world file, with its place and the remedy. */
import { type PathProblem, spellPath } from "../schema/problem.ts";

/** A place in a file: lines and columns count from 1, `length` is how much to underline. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly length: number;
  /** The line of the file. */
  readonly source: string;
}

export interface WorldProblem {
  readonly message: string;
  /** The correct spelling, or null. */
  readonly advice: string | null;
  /** Null when the world did not come from a text. */
  readonly place: Place | null;
}

/** The problem as a sentence about a world. */
export const sentenceOf = ({ path, issue }: PathProblem): string =>
  `${path.length === 0 ? "the world" : spellPath(path)} ${issue}`;

const widest = 110;

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

/** A long line is cut around the fault; `before` is the length of the excerpt before it. */
function excerpt(place: Place): { readonly text: string; readonly before: number } {
  const clean = visible(place.source);
  const before = place.column - 1;
  if (clean.length <= widest) return { text: clean.trimEnd(), before };
  const start = Math.max(0, before - widest / 2);
  const cut = clean.slice(start, start + widest).trimEnd();
  return { text: start === 0 ? cut : `…${cut.slice(1)}`, before: before - start };
}

/**
 * Characters that a terminal would obey become blanks of the same length, so that a caret stays in
 * place.
 */
const visible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (char) => " ".repeat(char.length));

export const formatProblems = (problems: readonly WorldProblem[]): string =>
  problems.map(formatProblem).join("\n\n");
