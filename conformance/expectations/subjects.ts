import type { ClauseRegister } from "../model/clause.ts";
import type { ExpectationSubject } from "../model/expected-failure.ts";
import type { Finding } from "../model/finding.ts";
import type { RowResult } from "../model/outcome.ts";
import { maskPointer } from "./fingerprint.ts";

/** `orders-010` means all its rows, `orders-010[market]` one row. */
export function isRowOf(id: string, rowId: string): boolean {
  return rowId === id || rowId.startsWith(`${id}[`);
}

/** The name of an assertion: `case/step#/pointer`, with places in lists as `*`. */
export function assertionId(rowId: string, { step, pointer }: Pick<Finding, "step" | "pointer">): string {
  const place = maskPointer(pointer);
  return `${rowId}/${step}#${place === "" || place.startsWith("/") ? place : `/${place}`}`;
}

export interface AssertionParts {
  readonly caseId: string;
  readonly step: string;
  readonly pointer: string;
}

/** Names of steps have no `/`, but names of rows may: the last one before the `#` divides the two. */
export function assertionParts(id: string): AssertionParts | undefined {
  const [, caseId, step, pointer] = /^([^#]+)\/([^/#]+)#(.*)$/.exec(id) ?? [];
  return caseId === undefined || step === undefined || pointer === undefined
    ? undefined
    : { caseId, step, pointer };
}

/** An alias means the clauses that it repeats, because findings name those. */
export function clausesOf(id: string, register: ClauseRegister): readonly string[] {
  return [id, ...(register.get(id)?.aliasOf ?? [])];
}

export function speaksOfRow(subject: ExpectationSubject, row: RowResult, register: ClauseRegister): boolean {
  switch (subject.kind) {
    case "case":
      return isRowOf(subject.id, row.id);
    case "clause":
      return clausesOf(subject.id, register).some((id) => row.clauses.includes(id));
    case "assertion":
      return isRowOf(assertionParts(subject.id)?.caseId ?? "", row.id);
    default:
      return subject satisfies never;
  }
}

export function speaksOfFinding(
  subject: ExpectationSubject,
  row: RowResult,
  finding: Finding,
  register: ClauseRegister,
): boolean {
  switch (subject.kind) {
    case "case":
      return isRowOf(subject.id, row.id);
    case "clause":
      return clausesOf(subject.id, register).some((id) => finding.clauses.includes(id));
    case "assertion": {
      const { caseId = "" } = assertionParts(subject.id) ?? {};
      const wanted = subject.id.slice(caseId.length);
      const actual = assertionId(row.id, finding).slice(row.id.length);
      // A step that runs once for each row of its own table can also be named without the row.
      return isRowOf(caseId, row.id) && (actual === wanted || actual.replace(/\[[^\]]*\]#/, "#") === wanted);
    }
    default:
      return subject satisfies never;
  }
}
