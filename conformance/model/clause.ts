/** One testable statement of the specification (fixtures/spec/clauses.json). */
export interface Clause {
  readonly id: string;
  readonly statement: string;
  readonly level: ClauseLevel;
  /**
   * Why the clause has its level, in a word of the register. `why` is a sentence for clauses that the document does not
   * state.
   */
  readonly basis: ClauseBasis;
  readonly why?: string;
  /** Parts of the statement with levels of their own; a case claims a part by naming its level. */
  readonly sublevels?: readonly ClauseLevel[];
  /** Statements of a profile that make the clause a promise of that target, and so required there. */
  readonly promisedBy?: readonly Promising[];
  /** The specification repeats these clauses here. The verdict is theirs, and it is counted once. */
  readonly aliasOf: readonly string[];
  /** The certificate part that the clause belongs to; core when the register does not say. */
  readonly certificate: CertificatePart;
  readonly where?: string;
  /** The shortest test from outside, and the parts of the profile that it needs. */
  readonly how?: string;
  readonly needs: readonly string[];
}

/** A key of the profile; with `is` one of these values, with `from` and `below` a number between them. */
export interface Promising {
  readonly key: string;
  readonly is?: readonly string[];
  readonly from?: number;
  readonly below?: number;
}

export const clauseLevels = ["required", "recommended", "assumed", "informational", "untestable"] as const;
export type ClauseLevel = (typeof clauseLevels)[number];

/** Bases of clauses that are required because breaking them does harm. */
const harms = ["money", "other-client", "twice", "credential"] as const;
export type ClauseBasis =
  | (typeof harms)[number]
  | "stated"
  | "implied"
  | "hedged"
  | "open"
  | "observed"
  | "unobservable";

/** Breaking the clause does harm, but the document does not state it explicitly. */
export const isHarm = ({ basis }: Pick<Clause, "basis">): boolean =>
  (harms as readonly string[]).includes(basis);

export const certificateParts = ["core", "limits", "events", "full"] as const;
export type CertificatePart = (typeof certificateParts)[number];

export const claimedLevels = ["core", "core+limits", "core+events", "full"] as const;
export type ClaimedLevel = (typeof claimedLevels)[number];

/** The parts of the certificate that a claimed level answers for (docs/certificate.md). */
export function partsOf(level: ClaimedLevel): readonly CertificatePart[] {
  switch (level) {
    case "core":
      return ["core"];
    case "core+limits":
      return ["core", "limits"];
    case "core+events":
      return ["core", "events"];
    case "full":
      return certificateParts;
    default:
      return level satisfies never;
  }
}

export class ClauseRegister {
  readonly clauses: ReadonlyMap<string, Clause>;
  constructor(clauses: readonly Clause[]) {
    this.clauses = new Map(clauses.map((clause) => [clause.id, clause]));
  }
  get(id: string): Clause | undefined {
    return this.clauses.get(id);
  }
  levelOf(id: string): ClauseLevel {
    return this.clauses.get(id)?.level ?? "informational";
  }
  /** The clauses that decide about this one: for an alias its targets, because only they are tried. */
  deciding(id: string): readonly string[] {
    const aliasOf = this.clauses.get(id)?.aliasOf ?? [];
    return aliasOf.length === 0 ? [id] : aliasOf;
  }
  /** The clauses themselves, each once: aliases follow their targets. */
  distinct(): Clause[] {
    return [...this.clauses.values()].filter((clause) => clause.aliasOf.length === 0);
  }
}
