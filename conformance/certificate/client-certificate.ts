/**
 * A statement about one exam of a client, signed by the holder of the key (docs/exam.md). A verifier with the report and
 * with the same exam can compute all of it again.
 *
 * Known limit: it names a client as its owner does, and cannot know which program ran.
 */
import canonicalize from "canonicalize";
import type { ClauseRegister } from "../model/clause.ts";
import type { Report } from "../report/report.ts";
import { digestOf, type Signature, seedOf, validDays } from "./certificate.ts";
import { isSignedByItsKey } from "./keys.ts";
import { type Shape, signedIn } from "./read-certificate.ts";
import { recompute } from "./recompute.ts";

export const clientCertificateType = "gatewright-client-certificate/1";

export interface ClientCertificate {
  readonly type: typeof clientCertificateType;
  readonly client: string;
  readonly tasks: string;
  readonly verdict: string;
  readonly exam: { readonly kit: string; readonly rules: string; readonly situations: string };
  readonly run: {
    readonly started: string;
    readonly ended: string;
    readonly challenge: string;
    readonly seed: number;
    readonly requests: number;
    readonly orders: number;
    readonly report: string;
  };
  readonly rules: {
    readonly satisfied: number;
    readonly warned: readonly string[];
    readonly notApplicable: readonly string[];
  };
  readonly expires: string;
  readonly signature: Signature;
}

type ClientStatement = Omit<ClientCertificate, "signature">;

const shape: Shape = {
  type: "text",
  client: "text",
  tasks: "text",
  verdict: "text",
  exam: { kit: "text", rules: "text", situations: "text" },
  run: {
    started: "text",
    ended: "text",
    challenge: "text",
    seed: "count",
    requests: "count",
    orders: "count",
    report: "text",
  },
  rules: { satisfied: "count", warned: "texts", notApplicable: "texts" },
  expires: "text",
  signature: { alg: "text", key: "text", value: "text" },
};

export const clientCertificateIn = (text: string): ClientCertificate | string =>
  signedIn<ClientCertificate>(text, clientCertificateType, shape);

export function clientStatementOf(report: Report, reportText: string, challenge: string): ClientStatement {
  const ended = new Date(Date.parse(report.startedAt) + report.durationMs).toISOString();
  const ids = (outcome: string): string[] =>
    report.clauses.filter((rule) => rule.outcome === outcome).map(({ id }) => id);
  return {
    type: clientCertificateType,
    client: report.target.name,
    tasks: report.target.notes["tasks"] ?? "",
    verdict: report.verdict,
    exam: { kit: report.kit, rules: report.suite.register, situations: report.suite.suite },
    run: {
      started: report.startedAt,
      ended,
      challenge,
      seed: report.seed,
      requests: report.summary.requests,
      orders: report.summary.orders,
      report: digestOf(reportText),
    },
    rules: { satisfied: ids("satisfied").length, warned: ids("warned"), notApplicable: ids("n/a") },
    expires: new Date(Date.parse(ended) + validDays * 86_400_000).toISOString(),
  };
}

/** A situation as far as a verifier must know it. */
export interface KnownSituation {
  readonly id: string;
  readonly title: string;
  readonly task: string;
}

export interface ClientVerificationInput {
  readonly certificate: ClientCertificate;
  readonly report: Report;
  readonly reportText: string;
  readonly situations: readonly KnownSituation[];
  readonly register: ClauseRegister;
  /** Digests of the exam of this kit. */
  readonly ours: { readonly suite: string; readonly register: string };
  readonly now: number;
  readonly challenge?: string | undefined;
  readonly key?: string | undefined;
}

/** Computes everything again and describes every difference in a sentence. The verdict is judged again from the cases. */
export function verifyClientCertificate(input: ClientVerificationInput): string[] {
  const { certificate, report, reportText, register } = input;
  const made = clientStatementOf(report, reportText, certificate.run.challenge);
  const again = recompute(report, register);
  return [
    ...sealProblems(input),
    ...examProblems(input),
    ...caseProblems(input),
    ...problem(
      again.verdict !== certificate.verdict,
      `the situations give ${again.verdict}, and the certificate says ${certificate.verdict}`,
    ),
    ...problem(
      !again.verdict.startsWith("CONFORMANT"),
      `the verdict of the situations is ${again.verdict}: there is no certificate for it`,
    ),
    ...report.clauses
      .filter(({ id, outcome }) => again.outcomes.get(id) !== outcome)
      .map(({ id, outcome }) => `the report says that ${id} is ${outcome}, its situations say otherwise`),
    ...(["client", "tasks", "exam", "run", "rules", "expires"] as const)
      .filter((part) => canonicalize(made[part]) !== canonicalize(certificate[part]))
      .map((part) => `the certificate's ${part} does not follow from the report`),
  ];
}

const problem = (isThere: boolean, sentence: string): string[] => (isThere ? [sentence] : []);

function sealProblems({ certificate, report, now, challenge, key }: ClientVerificationInput): string[] {
  const { run, signature, expires } = certificate;
  return [
    ...problem(
      !isSignedByItsKey(certificate),
      "the signature does not belong to these contents: the certificate was changed after it was signed",
    ),
    ...problem(
      key !== undefined && key !== signature.key,
      `the certificate is signed with ${signature.key}, not with the key you named (${key ?? ""})`,
    ),
    ...problem(
      challenge !== undefined && challenge !== run.challenge,
      `the challenge was "${run.challenge}", not "${challenge ?? ""}"`,
    ),
    ...problem(seedOf(run.challenge) !== report.seed, "the run's seed does not come from the challenge"),
    ...problem(!(Date.parse(expires) >= now), `the certificate has expired on ${expires.slice(0, 10)}`),
    ...problem(!(Date.parse(run.started) <= now + 86_400_000), "the run is dated in the future"),
  ];
}

function examProblems({ report: { subject, suite, rules }, ours }: ClientVerificationInput): string[] {
  return [
    ...problem(subject !== "client", "the report is not about a client"),
    ...problem(
      suite.suite !== ours.suite || suite.register !== ours.register,
      "the exam is not the one of this version: verify with the version that the certificate names",
    ),
    ...problem(rules.selection, "the exam was a selection: a certificate needs all situations"),
    ...problem(rules.interrupted, "the exam was interrupted"),
  ];
}

/** Every situation once, and only those of other tasks left out. */
function caseProblems({ certificate, report, situations }: ClientVerificationInput): string[] {
  const tasks = certificate.tasks.split(", ");
  const expected = situations.map(({ id, task }) => `${id} ${tasks.includes(task)}`);
  const found = report.cases.map(({ id, outcome }) => `${id} ${outcome !== "notApplicable"}`);
  return problem(
    canonicalize(expected) !== canonicalize(found),
    "the report does not have each situation of its tasks once, and no other",
  );
}
