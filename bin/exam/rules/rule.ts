/** A rule of the exam: its statement, and the test of the evidence for a breach. */
import type { Evidence, Sent } from "../evidence.ts";
import type { TaskName } from "../situation.ts";

export interface Rule {
  readonly id: string;
  readonly level: "required" | "recommended";
  /** The harm that breaking it does, where it does some. */
  readonly basis: "money" | "twice" | "credential" | "stated";
  readonly statement: string;
  /** The tasks in which it can be broken; all when absent. */
  readonly tasks?: readonly TaskName[];
  /** The findings that break it; none when it is kept, and undefined when nothing in the evidence could have broken it. */
  readonly judge: (evidence: Evidence) => readonly Breach[] | undefined;
}

export interface Breach {
  readonly expected: string;
  readonly actual: string;
  /** The one that shows it. */
  readonly request?: Sent;
}

/** The tasks in which a client places orders. */
export const trading: readonly TaskName[] = ["place", "cancel"];

/** Undefined without a question; otherwise what breaks the rule. */
export const breachesIf = (
  isAsked: boolean,
  breaches: () => readonly Breach[],
): readonly Breach[] | undefined => (isAsked ? breaches() : undefined);

export const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
