import { printable, printableLines } from "./printable.ts";

/** A place in a user's file; every refusal and every finding names one. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Keys and indices from the top of a file to a value. */
export type Path = readonly (string | number)[];

export function placeOf(position: Position): string {
  return `${position.file}:${position.line}:${position.column}`;
}

/** A problem in a file: message, place and advice. */
export interface Problem {
  readonly position: Position;
  readonly message: string;
  readonly hint?: string;
  /** The line of the file and the caret line below it, if the text is available. */
  readonly excerpt?: string;
}

/** Bad input from the user of the kit: exit 2, before anything is sent. */
export class UsageError extends Error {
  readonly problems: readonly Problem[];
  constructor(message: string, problems: readonly Problem[] = []) {
    super(message);
    this.name = "UsageError";
    this.problems = problems;
  }

  /** The message, and each problem with its place. */
  get report(): string {
    return [this.message, ...this.problems.map(renderProblem)].join("\n");
  }
}

/**
 * Problems of several rounds as one list, in the order of the file. A later round adds nothing at a place that an
 * earlier round reported.
 */
export function inOneRound(...rounds: readonly (readonly Problem[])[]): Problem[] {
  const said: Problem[] = [];
  for (const round of rounds) {
    const places = new Set(said.map(({ position }) => placeOf(position)));
    said.push(...round.filter(({ position }) => !places.has(placeOf(position))));
  }
  const before = (one: Position, other: Position): number =>
    one.line - other.line || one.column - other.column;
  return said.toSorted((one, other) => before(one.position, other.position));
}

/** Names, keys and values in a problem come from the file, so each line is made printable. */
export function renderProblem(problem: Problem): string {
  const head = printable(`${placeOf(problem.position)}: ${problem.message}`);
  const excerpt = problem.excerpt === undefined ? "" : `\n${printableLines(problem.excerpt)}`;
  const hint = problem.hint === undefined ? "" : `\n  ${printable(problem.hint)}`;
  return `${head}${excerpt}${hint}`;
}
