/** One testable statement of the specification (fixtures/spec/clauses.yaml). */
export interface Clause {
  readonly id: string;
  readonly statement: string;
  readonly level: ClauseLevel;
  /** Why it weighs that much, in a word of the register; `why` is the sentence, of what is not stated. */
  readonly basis: ClauseBasis;
  readonly why?: string;
  /** Parts of the statement that weigh differently; a case claims one by naming its level. */
  readonly sublevels?: readonly ClauseLevel[];
  /** Statements of a profile that make it a promise of that target, and so required there. */
  readonly promisedBy?: readonly Promising[];
  /** The specification says it elsewhere, too; the verdict is that of these clauses, and it is counted once. */
  readonly aliasOf: readonly string[];
  /** Which certificate level demands it; core when the register does not say. */
  readonly certificate: CertificatePart;
  readonly where?: string;
  /** The shortest test from outside, and what the profile has to supply for it. */
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

/** Bases of clauses that are required for the harm that is done when they are broken. */
const harms = ["money", "other-client", "twice", "credential"] as const;
export type ClauseBasis =
  | (typeof harms)[number]
  | "stated"
  | "implied"
  | "hedged"
  | "open"
  | "observed"
  | "unobservable";

/** Breaking it does harm; the document does not say it in so many words. */
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
  /** The clauses that decide about this one: an alias says what its targets say, and they are what is tried. */
  deciding(id: string): readonly string[] {
    const aliasOf = this.clauses.get(id)?.aliasOf ?? [];
    return aliasOf.length === 0 ? [id] : aliasOf;
  }
  /** The clauses themselves, each once: aliases follow their targets. */
  distinct(): Clause[] {
    return [...this.clauses.values()].filter((clause) => clause.aliasOf.length === 0);
  }
}
