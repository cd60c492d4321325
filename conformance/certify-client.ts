/** Signs the exam of a client, and checks such a certificate offline (docs/exam.md). */
import { seedOf } from "./certificate/certificate.ts";
import {
  type ClientCertificate,
  clientCertificateIn,
  clientCertificateType,
  clientStatementOf,
  type KnownSituation,
  verifyClientCertificate,
} from "./certificate/client-certificate.ts";
import { publicKeyText, readPrivateKey, readPublicKey, signStatement } from "./certificate/keys.ts";
import { type ExamRule, examDigests, registerOf } from "./client-report.ts";
import { exitCodes } from "./exit-codes.ts";
import { UsageError } from "./model/position.ts";
import { mostBytes, readCapped } from "./parse/read-capped.ts";
import { readReport } from "./report/read-report.ts";
import type { Report } from "./report/report.ts";

export interface ClientSigner {
  /** Of the worlds of the exam: it follows from the challenge. */
  readonly seed: number;
  /** Why the exam earns no certificate; undefined when it does. */
  readonly refusal: (report: Report) => string | undefined;
  /** Of the report as it was written. */
  readonly certificateFor: (report: Report, reportText: string) => ClientCertificate;
}

/** The key is read before the exam, so that a wrong file wastes none. */
export async function clientSigner(file: string, challenge: string): Promise<ClientSigner> {
  const key = await readPrivateKey(file);
  if (challenge.trim() === "")
    throw new UsageError("a certificate needs --challenge: the text that the verifier gave you");
  return {
    seed: seedOf(challenge),
    refusal: ({ verdict, exitCode, reason }) =>
      verdict.startsWith("CONFORMANT") && exitCode === exitCodes.ok
        ? undefined
        : `no certificate: ${verdict}: ${reason}`,
    certificateFor: (report, text) => signStatement(clientStatementOf(report, text, challenge), key),
  };
}

/** Is this the certificate of a client, and not of a gateway? */
export async function certifiesClient(file: string): Promise<boolean> {
  const text = await readCapped("certificate", file, mostBytes.large);
  return text.includes(JSON.stringify(clientCertificateType));
}

export interface ClientVerifyOptions {
  readonly certificate: string;
  readonly report: string;
  readonly challenge?: string | undefined;
  /** PEM file of the key that must have signed. */
  readonly key?: string | undefined;
  readonly rules: readonly ExamRule[];
  readonly situations: readonly KnownSituation[];
  readonly now?: number;
}

export interface ClientVerification {
  readonly problems: readonly string[];
  readonly certificate: ClientCertificate;
}

export async function verifyClient(options: ClientVerifyOptions): Promise<ClientVerification> {
  const { rules, situations, challenge } = options;
  const [certificateText, reportText, key] = await Promise.all([
    readCapped("certificate", options.certificate, mostBytes.large),
    readCapped("report", options.report, mostBytes.large),
    options.key === undefined ? undefined : readPublicKey(options.key),
  ]);
  const certificate = clientCertificateIn(certificateText);
  if (typeof certificate === "string")
    throw new UsageError(`${options.certificate} is not a certificate: ${certificate}`);
  const problems = verifyClientCertificate({
    certificate,
    report: await readReport(options.report),
    reportText,
    situations,
    register: registerOf(rules),
    ours: examDigests(rules, situations),
    now: options.now ?? Date.now(),
    challenge,
    key: key === undefined ? undefined : publicKeyText(key),
  });
  return { problems, certificate };
}
