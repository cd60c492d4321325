import type { ClauseRegister } from "../model/clause.ts";
import type { Path, Problem } from "../model/position.ts";
import { didYouMean } from "../model/suggest.ts";
import { isList, type Value } from "../model/value.ts";
import type { Source } from "../parse/source.ts";

/** The problems that lint has found in one file, each with its place. */
export class LintProblems {
  readonly all: Problem[] = [];
  readonly #source: Source;
  readonly #clauses: ClauseRegister;

  constructor(source: Source, clauses: ClauseRegister) {
    this.#source = source;
    this.#clauses = clauses;
  }

  say(path: Path, message: string, hint?: string, what: "key" | "value" = "value"): void {
    this.all.push(this.#source.problem(path, message, { hint, what }));
  }

  /** Every cited clause must exist; `X-` clauses are user-defined. */
  clauses(value: Value | undefined, path: Path): void {
    const cited = value === undefined ? [] : isList(value) ? value : [value];
    for (const [index, id] of cited.entries()) {
      const name = String(id);
      if (name.startsWith("X-") || this.#clauses.get(name) !== undefined) continue;
      const at = isList(value) ? [...path, index] : path;
      this.say(at, `there is no clause ${name}`, didYouMean(name, [...this.#clauses.clauses.keys()]));
    }
  }
}
