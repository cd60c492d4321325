/** The certificate of an exam: its requirements are checked before the exam, and it is signed after it. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import * as kit from "../../conformance/commands.ts";
import { show, tell } from "../screen.ts";

type ReportTarget = import("../../conformance/commands.ts").ReportTarget;
type Report = Parameters<Signer["refusal"]>[0];
type Signer = Awaited<ReturnType<(typeof kit)["clientSigner"]>>;

interface CertificateFlags {
  readonly key?: string | undefined;
  readonly challenge?: string | undefined;
  readonly out?: string | undefined;
}

export interface Certification {
  readonly signer: Signer;
  readonly out: string;
  readonly challenge: string;
  /** The report that is certified. */
  readonly file: string;
  /** A temporary report, added because the certification needs one. */
  readonly added: readonly ReportTarget[];
}

/** Undefined when no certificate is asked for. */
export async function certificationOf(
  flags: CertificateFlags,
  reports: readonly ReportTarget[],
): Promise<Certification | undefined> {
  if (flags.out !== undefined) await kit.checkOutput("--out", flags.out);
  const { key, challenge = "", out = "certificate.json" } = flags;
  if (key === undefined) return undefined;
  const signer = await kit.clientSigner(key, challenge);
  const asked = reports.find(({ format }) => format === "json" || format === "ndjson");
  const certified = asked ?? { format: "json" as const, file: path.join(path.dirname(out), "report.json") };
  await kit.checkOutput("--out", out);
  await kit.checkOutput("--report", certified.file);
  const added = asked === undefined ? [certified] : [];
  return { signer, out, challenge, file: certified.file, added };
}

/** The exit code is never 0 without the certificate. */
export async function certifyExam(
  { signer, out, challenge, file }: Certification,
  report: Report,
): Promise<void> {
  const refusal = signer.refusal(report);
  if (refusal !== undefined) return tell(`gatewright: ${kit.printable(refusal)}\n`);
  const certificate = signer.certificateFor(report, await readFile(file, "utf8"));
  await kit.writeOutput(out, `${JSON.stringify(certificate, null, 2)}\n`);
  show(
    `Certificate ${out} of ${file}, valid until ${certificate.expires.slice(0, 10)}, signed with ${certificate.signature.key}\n` +
      `To check it: gatewright verify ${out} ${file} --challenge '${challenge.replaceAll("'", "'\\''")}' --key PUBLIC-KEY.pem\n`,
  );
}
