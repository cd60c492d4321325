/** Without `--key` it never ends with 0: a certificate then fits its report, but its signer is unknown. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { situations } from "../exam/all-situations.ts";
import { rules } from "../exam/rules/all-rules.ts";
import { show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("verify")
    .description(
      "Check a certificate against its report, offline: signature, digests, completeness, and the verdict from its rows.",
    )
    .argument("<certificate>", "certificate.json")
    .argument("<report>", "the report it was made from, JSON or NDJSON")
    .option("--challenge <text>", "the text that you gave for the run")
    .option("--key <file>", "public key in PEM of the expected signer")
    .option("--profile <file>", "the profile that the run must have used")
    .action(async (certificate, report, options) => {
      if (await kit.certifiesClient(certificate)) return verifyClient({ certificate, report, ...options });
      const { problems, certificate: read } = await kit.verify({ certificate, report, ...options });
      for (const problem of problems) show(`NOT VALID: ${kit.printable(problem)}\n`);
      if (problems.length === 0) {
        const { level, verdict, target, run, expires, signature } = read;
        const vouched = options.key !== undefined;
        const vouching = vouched
          ? " That is the key you named."
          : " The owner of that key is unknown, and anybody can make a key: name the expected one with --key.";
        const asked =
          options.challenge === undefined
            ? ` Its challenge was "${kit.printable(run.challenge)}": compare it with the one you gave.`
            : "";
        show(
          `${vouched ? "VALID" : "SELF-SIGNED"}: ${kit.printable(target.name)} is ${kit.printable(verdict)} at level ${level}; run of ${kit.printable(run.started)}, valid until ${expires.slice(0, 10)}.\n` +
            `Signed with ${kit.printable(signature.key)}.${vouching}${asked}\n`,
        );
      }
      const holds = options.key === undefined ? exitCodes.incomplete : exitCodes.ok;
      process.exitCode = problems.length === 0 ? holds : exitCodes.nonConformant;
    });
}

interface Papers {
  readonly certificate: string;
  readonly report: string;
  readonly challenge?: string | undefined;
  readonly key?: string | undefined;
}

/** The same for the certificate of a client. */
async function verifyClient(papers: Papers): Promise<void> {
  const { problems, certificate } = await kit.verifyClient({ ...papers, rules, situations });
  for (const problem of problems) show(`NOT VALID: ${kit.printable(problem)}\n`);
  if (problems.length > 0) {
    process.exitCode = exitCodes.nonConformant;
    return;
  }
  const { client, verdict, tasks, run, expires, signature } = certificate;
  const isVouchedFor = papers.key !== undefined;
  const advice = isVouchedFor ? "That is the key you named." : "Name the expected key with --key.";
  show(
    `${isVouchedFor ? "VALID" : "SELF-SIGNED"}: the client ${kit.printable(client)} is ${kit.printable(verdict)} in the exam of ${kit.printable(tasks)}; run of ${kit.printable(run.started)} with the challenge "${kit.printable(run.challenge)}", valid until ${expires.slice(0, 10)}.\n` +
      `Signed with ${kit.printable(signature.key)}. ${advice}\n`,
  );
  process.exitCode = isVouchedFor ? exitCodes.ok : exitCodes.incomplete;
}
