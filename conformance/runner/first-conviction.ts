import type { ClauseRegister } from "../model/clause.ts";
import type { RowResult } from "../model/outcome.ts";
import type { Session } from "./session.ts";

/** What somebody waits for: the first finding that speaks against one of these clauses. */
export interface Aim {
  readonly clauses: readonly string[];
  /** A warning will do, where the document only recommends. */
  readonly warnings: boolean;
}

/**
 * Ends a run at its first conviction. What is aimed at changes the order of the cases and the end of the run, never
 * what a case finds: a run that is ended has judged nothing but what it found.
 */
export class FirstConviction {
  readonly #aim: Aim;
  readonly #session: Session;
  readonly #wanted: ReadonlySet<string>;
  readonly #end = new AbortController();
  /** Why the run was ended; undefined while nothing was found. */
  ended: string | undefined;

  constructor(aim: Aim, session: Session) {
    this.#aim = aim;
    this.#session = session;
    this.#wanted = withTargets(aim.clauses, session.parts.clauses);
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Does it speak about what is aimed at? */
  concerns(clauses: readonly string[]): boolean {
    return clauses.some((id) => this.#wanted.has(id));
  }

  see(row?: RowResult): void {
    if (this.ended !== undefined) return;
    const lines = this.#session.ambient.lines.map(({ clause, severity }) => ({
      clauses: [clause],
      severity,
    }));
    const against = [...(row?.findings ?? []), ...lines].find(
      ({ clauses, severity }) =>
        (severity === "fail" || (severity === "warn" && this.#aim.warnings)) && this.concerns(clauses),
    );
    if (against === undefined) return;
    this.ended = `the run was ended at its first conviction, of ${against.clauses.filter((id) => this.#wanted.has(id)).join(" ")}`;
    this.#end.abort(this.ended);
  }
}

/** An alias is violated through the clauses that it repeats. */
function withTargets(clauses: readonly string[], register: ClauseRegister): Set<string> {
  return new Set(clauses.flatMap((id) => [id, ...(register.get(id)?.aliasOf ?? [])]));
}
