import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  type Certificate,
  digestOf,
  type InterfaceDocument,
  seedOf,
  statementOf,
} from "./certificate/certificate.ts";
import { publicKeyText, readPrivateKey, readPublicKey, signStatement } from "./certificate/keys.ts";
import { certificateIn } from "./certificate/read-certificate.ts";
import { departures } from "./certificate/recompute.ts";
import { verifyCertificate } from "./certificate/verify-certificate.ts";
import { type ConformOptions, type ConformRun, runConformance } from "./conform.ts";
import { exitCodes } from "./exit-codes.ts";
import { readSuite } from "./load-suite.ts";
import type { ClaimedLevel, ClauseRegister } from "./model/clause.ts";
import { UsageError } from "./model/position.ts";
import { type CaseRow, rowsOf } from "./model/scenario.ts";
import { asMap } from "./model/value.ts";
import { kitVersion, packageRoot } from "./package-root.ts";
import { mostBytes, readCapped } from "./parse/read-capped.ts";
import { readSource } from "./parse/source.ts";
import { YamlReader } from "./parse/yaml-reader.ts";
import { readReport } from "./report/read-report.ts";
import type { Report } from "./report/report.ts";

/** The target and the claim. There are no other options, because a certificate has a fixed policy. */
export type CertifyOptions = Pick<
  ConformOptions,
  "profile" | "target" | "keyId" | "secret" | "environment" | "ledger" | "command" | "onRow" | "signal"
> & { readonly level: ClaimedLevel; readonly key: string; readonly challenge: string };

export interface CertifiedRun extends ConformRun {
  /** Signs the report as it was written; undefined if the verdict earns no certificate. */
  readonly certificateFor: ((reportText: string) => Certificate) | undefined;
  readonly refusal: string | undefined;
  /** 0 only if there is a certificate. */
  readonly exitCode: number;
}

/**
 * A run with a fixed policy: the whole built-in suite, no selection, no expectations, only transport retries, and a
 * seed from the verifier's challenge. The key is read first. Without a conformant verdict there is no certificate.
 */
export async function certify({ key: file, challenge, ...options }: CertifyOptions): Promise<CertifiedRun> {
  if (challenge.trim() === "")
    throw new UsageError("the challenge is empty: it is the text that the verifier gave you");
  const key = await readPrivateKey(file);
  const document = await interfaceDocument();
  const run = await runConformance({ ...options, seed: seedOf(challenge), expectations: false });
  const { suite } = await readSuite([]);
  const refused = refusalOf(run.report, suite.scenarios.flatMap(rowsOf), run.register);
  const certificateFor = (text: string): Certificate =>
    signStatement(statementOf(run.report, text, challenge, document), key);
  return refused === undefined
    ? { ...run, certificateFor, refusal: undefined, exitCode: 0 }
    : { ...run, certificateFor: undefined, ...refused };
}

/** Why a run earns no certificate, with the exit code, which is never 0. */
export function refusalOf(
  report: Report,
  suiteRows: readonly CaseRow[],
  register: ClauseRegister,
): Pick<CertifiedRun, "refusal" | "exitCode"> | undefined {
  const { verdict, exitCode, reason } = report;
  const conformant = verdict === "CONFORMANT" || verdict === "CONFORMANT_WITH_WARNINGS";
  if (!conformant || exitCode !== exitCodes.ok)
    return {
      refusal: `no certificate: ${verdict}: ${reason}`,
      exitCode: exitCode === exitCodes.ok ? exitCodes.incomplete : exitCode,
    };
  const [departure] = departures(report, suiteRows, register);
  return departure === undefined
    ? undefined
    : { refusal: `no certificate: ${departure}`, exitCode: exitCodes.incomplete };
}

export interface VerifyOptions {
  readonly certificate: string;
  readonly report: string;
  readonly challenge?: string | undefined;
  /** PEM file of the key that must have signed. */
  readonly key?: string | undefined;
  readonly profile?: string | undefined;
  readonly now?: number;
}

export interface Verification {
  readonly problems: readonly string[];
  readonly certificate: Certificate;
}

/** Checks a certificate against its report, offline. An unreadable file is a UsageError. */
export async function verify(options: VerifyOptions): Promise<Verification> {
  // All files are read before any is judged, so that a wrong path is always reported.
  const [certificateText, reportText, key, profileText] = await Promise.all([
    textOf("certificate", options.certificate),
    textOf("report", options.report),
    options.key === undefined ? undefined : readPublicKey(options.key),
    options.profile === undefined ? undefined : textOf("profile", options.profile),
  ]);
  const certificate = certificateIn(certificateText);
  if (typeof certificate === "string")
    throw new UsageError(`${options.certificate} is not a certificate: ${certificate}`);
  const report = await readReport(options.report).catch((error: Error) => {
    // A file that begins as a report and does not end as one was cut; that is a result and no usage error.
    if (!(error instanceof UsageError) || !/^\s*\{\s*"(?:line|type)"/.test(reportText)) throw error;
    return error.message;
  });
  if (typeof report === "string")
    return { certificate, problems: [`the report is incomplete, or not of this version: ${report}`] };
  const { suite } = await readSuite([]);
  const problems = verifyCertificate({
    certificate,
    report,
    reportText,
    suiteRows: suite.scenarios.flatMap(rowsOf),
    suiteDigest: suite.digest,
    register: suite.clauses,
    document: await interfaceDocument(),
    kit: kitVersion(),
    now: options.now ?? Date.now(),
    challenge: options.challenge,
    key: key === undefined ? undefined : publicKeyText(key),
    profileDigest: profileText === undefined ? undefined : digestOf(profileText),
  });
  return { problems, certificate };
}

function textOf(what: string, file: string): Promise<string> {
  return readCapped(what, file, mostBytes.large);
}

/** Title, version and digest of the document from which the clauses were taken. */
async function interfaceDocument(): Promise<InterfaceDocument> {
  const name = "fixtures/spec/document.yaml";
  using reader = new YamlReader();
  const reading = await readSource(name, await readFile(join(packageRoot(), name), "utf8"), reader);
  if (!reading.ok) throw new UsageError(`${name} cannot be read`, reading.problems);
  const { title, interfaceVersion, sha256 } = asMap(asMap(reading.source.value)["document"]);
  return { title: String(title), interfaceVersion: String(interfaceVersion), sha256: String(sha256) };
}
