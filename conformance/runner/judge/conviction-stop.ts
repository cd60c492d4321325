import type { ClauseRegister } from "../../model/clause.ts";
import type { RowResult } from "../../model/outcome.ts";
import type { Session } from "../session.ts";

/** The goal of a run: findings that violate these clauses. */
export interface ConvictionGoal {
  readonly clauses: readonly string[];
  /** Clauses among them for which a warning is enough. */
  readonly warned: readonly string[];
  /** Whether the first of them ends the run, or the last. */
  readonly until: "one" | "all";
}

/**
 * Ends a run at its conviction. The goal changes the order of the cases and the end of the run, never the findings of a
 * case. Known limit: a run that ended early has judged only the part that ran.
 */
export class ConvictionStop {
  readonly #goal: ConvictionGoal;
  readonly #session: Session;
  /** Each clause with the clauses that it repeats: an alias is violated through them. */
  readonly #wanted: ReadonlyMap<string, readonly string[]>;
  readonly #found = new Set<string>();
  readonly #end = new AbortController();
  /** Why the run was ended; undefined while the goal is not reached. */
  ended: string | undefined;

  constructor(goal: ConvictionGoal, session: Session) {
    this.#goal = goal;
    this.#session = session;
    this.#wanted = new Map(goal.clauses.map((id) => [id, withTargets(id, session.parts.clauses)]));
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  /** Does it cite a clause of the goal? */
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

/** Ends a run at its first failed case or broken rule of every reply, whether or not it was expected. */
export class FailureStop {
  readonly #session: Session;
  readonly #end = new AbortController();
  ended: string | undefined;

  constructor(session: Session) {
    this.#session = session;
  }

  get signal(): AbortSignal {
    return this.#end.signal;
  }

  see(row?: RowResult): void {
    const broken = this.#session.ambient.lines.some(({ severity }) => severity === "fail");
    const failed = row?.outcome === "failed" || row?.outcome === "error";
    if (this.ended !== undefined || !(failed || broken)) return;
    this.ended = "the run was ended at its first failure (--bail)";
    this.#end.abort(this.ended);
  }
}

const withTargets = (id: string, register: ClauseRegister): readonly string[] => [
  id,
  ...(register.get(id)?.aliasOf ?? []),
];
