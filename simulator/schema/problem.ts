/** One thing wrong with a value from outside, and where. */

/** The place of a value: names of members and positions in lists. */
export type Path = readonly (string | number)[];

/** A problem with the value at a path; `key` means the name of the member instead of its value. */
export interface PathProblem {
  readonly path: Path;
  readonly on: "key" | "value";
  /** The message about the value, without its name: "must be true or false". */
  readonly issue: string;
  readonly advice: string | null;
}

/** `products[0].id`, as it is written in messages. */
export function spellPath(path: Path): string {
  const text = path.map((part) => (typeof part === "number" ? `[${part}]` : `.${part}`)).join("");
  return text.startsWith(".") ? text.slice(1) : text;
}

/** The issue, and what to write instead. */
export const spellIssue = ({ issue, advice }: PathProblem): string =>
  advice === null ? issue : `${issue}; ${advice}`;

/** One text for one path, to look things up by. */
export const pointerOf = (path: Path): string => path.join("\n");
