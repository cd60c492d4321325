/**
 * A certificate has a value because its maker chooses little: the rules are fixed, and the verifier's challenge decides the
 * seed.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { type Command, Option } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { collect, type FlagsOf } from "../flag-values.ts";
import { presentRun, progressOf } from "../present-run.ts";
import { show, tell } from "../screen.ts";
import { StopOnSignal } from "../stop-on-signal.ts";
import { targetOf, withTargetFlags } from "../target-flags.ts";

const levels = ["core", "core+limits", "core+events", "full"] as const;

const declare = (program: Command) =>
  withTargetFlags(
    program
      .command("certify")
      .description(
        "Run the whole suite with fixed rules and, when the target conforms, sign a certificate of it.",
      ),
  )
    .addOption(new Option("--level <level>", "the level to claim").choices(levels).makeOptionMandatory(true))
    .requiredOption("--key <file>", "Ed25519 private key in PEM (openssl genpkey -algorithm ed25519)")
    .requiredOption("--challenge <text>", "the text that the verifier gave you; the seed follows from it")
    .option("--out <file>", "file for the certificate", "certificate.json")
    .option(
      "--report <format=file>",
      "further reports; the first json or ndjson file is the one that is certified (repeatable)",
      collect,
      [],
    );

export const register = (program: Command): void => void declare(program).action(certify);

type CertifyFlags = FlagsOf<typeof declare>;

async function certify(flags: CertifyFlags): Promise<void> {
  const { level, key, challenge, out } = flags;
  const asked = await kit.reportTargets(flags.report, kit.reportFormats, { stdout: "free" });
  const certified = asked.find(({ format }) => format === "json" || format === "ndjson") ?? {
    format: "json" as const,
    file: path.join(path.dirname(out), "report.json"),
  };
  const reports = asked.includes(certified) ? asked : [...asked, certified];
  await kit.checkOutput("--out", out);
  await kit.checkOutput("--report", certified.file);
  const target = await targetOf(flags);
  using stop = new StopOnSignal();
  const ledger = kit.newLedgerPath();
  const progress = progressOf();
  const running = kit.certify({
    ...target,
    level,
    key,
    challenge,
    ledger,
    signal: stop.signal,
    onRow: (row) => progress.row(row),
  });
  const run = await running.catch((error: unknown) => stop.orRethrow(error));
  progress.end();
  await presentRun(run, { reports, annotations: false });
  if (existsSync(ledger))
    tell(`gatewright: orders are left open; to cancel them: gatewright cleanup --ledger ${ledger} …\n`);
  process.exitCode = run.exitCode;
  if (run.certificateFor === undefined) {
    tell(`gatewright: ${run.refusal ?? "no certificate"}\n`);
    return;
  }
  const certificate = run.certificateFor(await readFile(certified.file, "utf8"));
  await kit.writeOutput(out, `${JSON.stringify(certificate, null, 2)}\n`);
  show(
    `Certificate ${out} of ${certified.file}, valid until ${certificate.expires.slice(0, 10)}, signed with ${certificate.signature.key}\n` +
      `To check it: gatewright verify ${out} ${certified.file} --challenge '${challenge.replaceAll("'", "'\\''")}' --key PUBLIC-KEY.pem\n`,
  );
}
