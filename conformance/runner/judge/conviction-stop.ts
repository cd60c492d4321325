import type { ClauseRegister } from "../../model/clause.ts";
import type { RowResult } from "../../model/outcome.ts";
import type { Session } from "../session.ts";

/** What somebody waits for: findings against these clauses. */
export interface ConvictionGoal {
  readonly clauses: readonly string[];
  /** Clauses among them for which a warning will do. */
  readonly warned: readonly string[];
  /** The first of them ends the run, or the last. */
  readonly until: "one" | "all";
}

/**
 * Ends a run at its conviction. What is aimed at changes the order of the cases and the end of the run, never what a
 * case finds: a run that is ended has judged nothing but what it found.
 */
export class ConvictionStop {
  readonly #goal: ConvictionGoal;
  readonly #session: Session;
  /** Each clause with those that it repeats: an alias is violated through them. */
  readonly #wanted: ReadonlyMap<string, readonly string[]>;
  readonly #found = new Set<string>();
  readonly #end = new AbortController();
  /** Why the run was ended; undefined while not enough was found. */
  ended: string | undefined;

  constructor(goal: ConvictionGoal, session: Session) {
    this.#goal = goal;
    this.#session = session;
    this.#wanted = new Map(goal.clauses.map((id) => [id, withTargets(id, session.parts.clauses)]));
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Does it speak about what is aimed at? */
  concerns(clauses: readonly string[]): boolean {
    return [...this.#wanted.values()].flat().some((id) => clauses.includes(id));
  }

  see(row?: RowResult): void {
    if (this.ended !== undefined) return;
    const lines = this.#session.ambient.lines.map(({ clause, severity }) => ({
      clauses: [clause],
      severity,
    }));
    for (const { clauses, severity } of [...(row?.findings ?? []), ...lines]) {
      for (const [id, names] of this.#wanted) {
        const counts = severity === "fail" || (severity === "warn" && this.#goal.warned.includes(id));
        if (counts && names.some((name) => clauses.includes(name))) this.#found.add(id);
      }
    }
    const enough = this.#goal.until === "one" ? 1 : this.#wanted.size;
    if (this.#found.size < enough) return;
    this.ended = `the run was ended at its conviction of ${[...this.#found].join(" ")}`;
    this.#end.abort(this.ended);
  }
}

const withTargets = (id: string, register: ClauseRegister): readonly string[] => [
  id,
  ...(register.get(id)?.aliasOf ?? []),
];
