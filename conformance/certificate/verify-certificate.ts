import canonicalize from "canonicalize";
import type { ClauseRegister } from "../model/clause.ts";
import type { CaseRow } from "../model/scenario.ts";
import type { Report } from "../report/report.ts";
import { type Certificate, digestOf, type InterfaceDocument, seedOf, statementOf } from "./certificate.ts";
import { isSignedByItsKey } from "./keys.ts";
import { departures, outcomeOf, recompute } from "./recompute.ts";

/** The verifier's data besides the certificate: the report, this kit, and the verifier's own demands. */
export interface VerificationInput {
  readonly certificate: Certificate;
  readonly report: Report;
  readonly reportText: string;
  readonly suiteRows: readonly CaseRow[];
  readonly suiteDigest: { readonly suite: string; readonly register: string };
  readonly register: ClauseRegister;
  readonly document: InterfaceDocument;
  readonly kit: string;
  readonly now: number;
  /** Optional demands of a verifier: the challenge, the signer's key, and the profile. */
  readonly challenge?: string | undefined;
  readonly key?: string | undefined;
  readonly profileDigest?: string | undefined;
}

/**
 * Computes everything again, offline, and describes every difference in a sentence; an empty list means that the
 * certificate is valid. The verdict is judged again from the rows: the verdicts in the report and the certificate are
 * never trusted.
 */
export function verifyCertificate(input: VerificationInput): string[] {
  const { certificate, report } = input;
  const problems = [...seals(input), ...suiteProblems(input)];
  if (problems.length > 0 && !suiteIsOurs(input)) return problems;
  problems.push(...departures(report, rowsOfLevel(input), input.register));
  problems.push(...verdictProblems(input));
  const made = statementOf(report, input.reportText, certificate.run.challenge, input.document);
  for (const part of ["interface", "target", "profile", "clauses", "expires", "level"] as const) {
    if (canonicalize(made[part] ?? null) !== canonicalize(certificate[part] ?? null))
      problems.push(`the certificate's ${part} does not follow from the report`);
  }
  for (const field of ["started", "ended", "clockSkew", "requests", "orders"] as const) {
    if (made.run[field] !== certificate.run[field])
      problems.push(
        `the certificate says run.${field} ${certificate.run[field]}, the report ${made.run[field]}`,
      );
  }
  return problems;
}

/** Checks signature, digests, challenge and time: is the certificate authentic, and is this its report? */
function seals(input: VerificationInput): string[] {
  const { certificate, report, reportText, now } = input;
  const { run, signature, expires, profile } = certificate;
  const problems: string[] = [];
  const say = (broken: boolean, sentence: string): void => {
    if (broken) problems.push(sentence);
  };
  say(
    !isSignedByItsKey(certificate),
    "the signature does not belong to these contents: the certificate was changed after it was signed",
  );
  say(
    input.key !== undefined && input.key !== signature.key,
    `the certificate is signed with ${signature.key}, not with the key you named (${input.key ?? ""})`,
  );
  say(
    digestOf(reportText) !== run.report,
    "the report is not the one that was certified: its digest differs",
  );
  say(
    input.challenge !== undefined && input.challenge !== run.challenge,
    `the challenge was "${run.challenge}", not "${input.challenge ?? ""}"`,
  );
  say(seedOf(run.challenge) !== report.seed, "the run's seed does not come from the challenge");
  say(run.seed !== report.seed, "the certificate names another seed than the report");
  say(
    Number.isNaN(Date.parse(expires)) || Date.parse(expires) < now,
    `the certificate has expired on ${String(expires).slice(0, 10)}`,
  );
  say(Date.parse(run.started) > now + 86_400_000, "the run is dated in the future");
  say(
    input.profileDigest !== undefined && input.profileDigest !== profile.digest,
    "the profile is not the one of the run: its digest differs",
  );
  return problems;
}

function suiteIsOurs({ certificate, suiteDigest }: VerificationInput): boolean {
  const { digest, register } = certificate.suite;
  return digest === suiteDigest.suite && register === suiteDigest.register;
}

/** Only a kit with the same suite and register can judge the rows again. */
function suiteProblems(input: VerificationInput): string[] {
  const { certificate, report, kit } = input;
  const problems: string[] = [];
  if (report.suite.suite !== certificate.suite.digest || report.suite.register !== certificate.suite.register)
    problems.push("the certificate names another suite than the report");
  if (report.kit !== certificate.suite.kit)
    problems.push(`the certificate names kit ${certificate.suite.kit}, the report ${report.kit}`);
  if (!suiteIsOurs(input))
    problems.push(
      kit === certificate.suite.kit
        ? "the suite of this kit has the same version and other contents: one of the two was changed"
        : `the suite is not the one of this kit (${kit}): verify with gatewright ${certificate.suite.kit}`,
    );
  return problems;
}

function verdictProblems({ certificate, report, register }: VerificationInput): string[] {
  const again = recompute(report, register);
  const problems: string[] = [];
  const lying = report.clauses.filter((clause) => again.outcomes.get(clause.id) !== outcomeOf(clause));
  const [first] = lying;
  if (first !== undefined)
    problems.push(
      `the report says that ${first.id} is ${outcomeOf(first)}, its cases give ${again.outcomes.get(first.id) ?? "nothing"}${lying.length > 1 ? ` (and ${lying.length - 1} more)` : ""}`,
    );
  if (again.verdict !== certificate.verdict)
    problems.push(`the cases give ${again.verdict}, and the certificate says ${certificate.verdict}`);
  if (!again.verdict.startsWith("CONFORMANT"))
    problems.push(`the verdict of the cases is ${again.verdict}: there is no certificate for it`);
  return problems;
}

/** Rows of user-defined clauses cannot be in a certificate; rows beyond the level are listed as filtered. */
function rowsOfLevel({ suiteRows }: VerificationInput): readonly CaseRow[] {
  return suiteRows.filter(({ spec }) => !spec.every((id) => id.startsWith("X-")));
}
