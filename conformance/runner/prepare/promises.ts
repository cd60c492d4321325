import type { Clause, ClauseLevel, ClauseRegister, Promising } from "../../model/clause.ts";
import type { Profile } from "../../model/profile.ts";
import { isMap, type Value, type ValueMap } from "../../model/value.ts";

/**
 * The clauses that the target's profile makes required, each with the line of the profile. The register says which
 * statement promises which clause (`promisedBy`). Only statements that the owner has written are promises.
 */
export class Promises {
  readonly #register: ClauseRegister;
  readonly stated: ReadonlyMap<string, string>;

  constructor(register: ClauseRegister, { said }: Pick<Profile, "said">) {
    this.#register = register;
    this.stated = promisesIn([...register.clauses.values()], said);
  }

  /** The level of a clause for this target. */
  levelOf(id: string): ClauseLevel {
    return this.stated.has(id) ? "required" : this.#register.levelOf(id);
  }
}

/**
 * Clause to the statement that promises it: `auth.signedPath: path`. `said` has the sections of a profile as written.
 */
export function promisesIn(clauses: readonly MayBePromised[], said: ValueMap): ReadonlyMap<string, string> {
  return new Map(
    clauses.flatMap((clause) => {
      const statement = statementOf(clause, said);
      return statement === undefined ? [] : [[clause.id, statement] as const];
    }),
  );
}

type MayBePromised = Pick<Clause, "id" | "promisedBy">;

function statementOf({ promisedBy = [] }: MayBePromised, said: ValueMap): string | undefined {
  for (const promising of promisedBy) {
    const value = at(said, promising.key);
    if (value !== undefined && keeps(promising, value))
      return isMap(value) ? promising.key : `${promising.key}: ${String(value)}`;
  }
  return undefined;
}

function keeps({ is, from, below }: Promising, value: Value): boolean {
  if (is !== undefined) return is.some((one) => one === value);
  if (from === undefined || below === undefined) return true;
  return typeof value === "number" && value >= from && value < below;
}

function at(said: ValueMap, key: string): Value | undefined {
  return key
    .split(".")
    .reduce<Value | undefined>((value, name) => (isMap(value) ? value[name] : undefined), said);
}
