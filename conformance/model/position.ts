/** A place in a file a person wrote; every refusal and every finding names one. */
export interface Position {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export function placeOf(position: Position): string {
  return `${position.file}:${position.line}:${position.column}`;
}

/** A mistake in a file: what is wrong, where, and what to do about it. */
export interface Problem {
  readonly position: Position;
  readonly message: string;
  readonly hint?: string;
  /** The line of the file and the caret line beneath it, when the text is at hand. */
  readonly excerpt?: string;
}

/** Bad input of the person who runs the kit: exit 2, before anything is sent. */
export class UsageError extends Error {
  readonly problems: readonly Problem[];
  constructor(message: string, problems: readonly Problem[] = []) {
    super(message);
    this.name = "UsageError";
    this.problems = problems;
  }
}

export function renderProblem(problem: Problem): string {
  const head = `${placeOf(problem.position)}: ${problem.message}`;
  const excerpt = problem.excerpt === undefined ? "" : `\n${problem.excerpt}`;
  const hint = problem.hint === undefined ? "" : `\n  ${problem.hint}`;
  return `${head}${excerpt}${hint}`;
}
