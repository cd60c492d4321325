import { type Command, InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { CommandFailure } from "../command-failure.ts";
import { exitCodes } from "../exit-codes.ts";
import { collect, secretFrom, withKit } from "../kit-failure.ts";

const levels = ["core", "core+limits", "core+events", "full"] as const;

export function register(program: Command): void {
  program
    .command("conform")
    .description("Run the conformance suite against a gateway and say whether it keeps the specification.")
    .option("--target <url>", "base address of a gateway on this machine, ending in /api/v1/trading")
    .option("--key-id <id>", "key id for --target")
    .option("--secret-env <variable>", "environment variable that holds the secret for --target")
    .option("--profile <file>", "description of the target: address, credentials, operations, limits")
    .option(
      "--ready-file <file>",
      "the line of `gatewright serve --json`; fills the profile of our simulator",
    )
    .option(
      "--scenarios <place>",
      "folder or file with scenarios instead of the built-in suite (repeatable)",
      collect,
      [],
    )
    .option(
      "--only <pattern>",
      "run only cases, clauses or tags that match (repeatable, * is a wildcard)",
      collect,
      [],
    )
    .option("--skip <pattern>", "leave out cases, clauses or tags that match (repeatable)", collect, [])
    .addOption(new Option("--level <level>", "the level to claim").choices(levels).default("core" as const))
    .option("--report <format=file>", "write a report: json=FILE (repeatable)", collect, [])
    .option("--seed <number>", "repeat the order and the choices of an earlier run", wholeNumber)
    .addOption(
      new Option("--fail-on <what>", "end with 7 when there are warnings").choices(["warn"] as const),
    )
    .action((options) => withKit((kit) => runConform(options, kit)));
}

interface ConformFlags extends TargetFlags {
  readonly scenarios: readonly string[];
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly level: (typeof levels)[number];
  readonly report: readonly string[];
  readonly seed?: number | undefined;
  readonly failOn?: "warn" | undefined;
}

type Kit = typeof import("../../conformance/index.ts");

/** The report that is shown, the reports that are written and the exit code come from one value. */
async function runConform(flags: ConformFlags, kit: Kit): Promise<void> {
  const reports = flags.report.map(kit.parseReportTarget);
  const target = await targetOf(flags, kit);
  const abort = new AbortController();
  let signalled: number | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    signalled = signal === "SIGINT" ? exitCodes.interrupted : exitCodes.terminated;
    abort.abort();
  };
  process.once("SIGINT", stop).once("SIGTERM", stop);
  const { scenarios, only, skip, level, seed } = flags;
  const run = await kit.runConformance({
    ...target,
    ...(seed === undefined ? {} : { seed }),
    scenarios,
    only,
    skip,
    level,
    failOnWarnings: flags.failOn === "warn",
    signal: abort.signal,
    onRow: showProgress,
  });
  process.off("SIGINT", stop).off("SIGTERM", stop);
  process.stdout.write(run.redactor.redact(kit.consoleReport(run.report, run.register)));
  for (const report of reports) await kit.writeReport(report, run.report, run.redactor);
  process.exitCode = signalled ?? run.report.exitCode;
}

interface TargetFlags {
  readonly target?: string | undefined;
  readonly keyId?: string | undefined;
  readonly secretEnv?: string | undefined;
  readonly profile?: string | undefined;
  readonly readyFile?: string | undefined;
}

/** One way of naming the target, and a sentence about it when it is none or two. */
async function targetOf(flags: TargetFlags, kit: Kit) {
  const { target, keyId, secretEnv, profile, readyFile } = flags;
  if (readyFile !== undefined) {
    const environment = { ...process.env, ...kit.environmentOf(await kit.readReadyFile(readyFile)) };
    return { profile: profile ?? `${kit.packageRoot()}/fixtures/profiles/simulator.yaml`, environment };
  }
  if (profile !== undefined) {
    if (target !== undefined) throw new CommandFailure("give --profile or --target, not both");
    return { profile };
  }
  if (target === undefined)
    throw new CommandFailure("give --profile FILE, or --target URL with --key-id and --secret-env");
  if (keyId === undefined || secretEnv === undefined)
    throw new CommandFailure("--target needs --key-id and --secret-env");
  return { target, keyId, secret: secretFrom(secretEnv) };
}

/** A sign of life for a person; a log file or a CI job gets the report only. */
function showProgress(row: { readonly id: string; readonly outcome: string }): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r\u001b[K${row.outcome.padEnd(7)} ${row.id.slice(0, 60)}\r`);
}

function wholeNumber(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number))
    throw new InvalidArgumentError("expected a whole number");
  return number;
}
