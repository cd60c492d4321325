import { existsSync } from "node:fs";
import { type Command, InvalidArgumentError } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { type CapsuleFlags, namesCapsule, replayCapsule } from "../capsule/replay.ts";
import { CommandFailure } from "../command-failure.ts";
import { portNumber } from "../flag-values.ts";
import { show, tell } from "../screen.ts";
import { StopOnSignal } from "../stop-on-signal.ts";
import { type TargetFlags, targetOf, withTargetFlags } from "../target-flags.ts";

export function register(program: Command): void {
  withTargetFlags(
    program
      .command("replay")
      .description(
        "Run single scenario files against a target, or a capsule on this machine, and compare the answers with the recorded ones.",
      )
      .argument("<files...>", "scenarios, such as counterexamples/cx-p18-2f9c1e.yaml; or a capsule"),
  )
    .option("--until <entry>", "of a capsule: the last entry to replay", readEntry)
    .option("--step", "of a capsule: entry by entry, forward and back")
    .option("--serve", "of a capsule: open the venue in that state, in memory, with a clock that stands")
    .option("--port <number>", "with --serve: port to listen on; default: any free one", portNumber)
    .option("--json", "with --serve: print the ready line as JSON, and the verdict on stderr")
    .action((files, flags) => replayAny(files, flags));
}

function readEntry(text: string): number {
  if (!/^[0-9]{1,9}$/.test(text)) throw new InvalidArgumentError("It must be the number of an entry.");
  return Number(text);
}

async function replayAny(files: readonly string[], flags: TargetFlags & CapsuleFlags): Promise<void> {
  const { until, step, serve, port, json, ...target } = flags;
  const given = { until, step, serve, port, json };
  const [file = ""] = files;
  const isOne = await Promise.all(files.map(namesCapsule));
  if (!isOne.includes(true)) {
    const [stray] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
    if (stray !== undefined)
      throw new CommandFailure(`--${stray} is for a capsule, and ${kit.printable(file)} is none`);
    return replay(files, target);
  }
  if (files.length > 1) throw new CommandFailure("a capsule is replayed alone: give it without other files");
  if (Object.values(target).some((value) => value !== undefined))
    throw new CommandFailure("a capsule is replayed on this machine: leave out the flags that name a target");
  return replayCapsule(file, given);
}

async function replay(files: readonly string[], flags: TargetFlags): Promise<void> {
  const target = await targetOf(flags);
  using stop = new StopOnSignal();
  const ledger = kit.newLedgerPath();
  const running = kit.replay({ ...target, files, ledger, signal: stop.signal });
  const replayed = await running.catch((error: unknown) => stop.orRethrow(error));
  for (const row of replayed.rows) show(replayed.redact(shown(row)));
  show(replayed.redact(`${replayed.verdict} ${replayed.reason}\n`));
  if (existsSync(ledger))
    tell(`gatewright: orders are left open; to cancel them: gatewright cleanup --ledger ${ledger} …\n`);
  process.exitCode = replayed.exitCode;
}

type Row = Awaited<ReturnType<(typeof kit)["replay"]>>["rows"][number];

/** The outcome, what differs from the expectation, and what was answered then and now; `~` where that differs. */
function shown({ row, recorded, now }: Row): string {
  const lines = [`${row.outcome.padEnd(7)} ${row.id}: ${row.title}`];
  if (row.reason !== undefined) lines.push(`        ${row.reason}`);
  for (const { severity, step, expected, actual, recorded } of row.findings) {
    const said = recorded === true ? "differs from the recording: " : "";
    if (severity !== "info") lines.push(`        ${step}: ${said}expected ${expected}, was ${actual}`);
  }
  if (recorded.length > 0) {
    const width = Math.max("recorded".length, ...recorded.map((line) => line.length));
    lines.push(`        ${"recorded".padEnd(width)}   now`);
    for (let at = 0; at < Math.max(recorded.length, now.length); at += 1) {
      const [then = "-", today = "-"] = [recorded[at], now[at]];
      lines.push(`      ${then === today ? " " : "~"} ${then.padEnd(width)}   ${today}`);
    }
  }
  return `${lines.map((line) => kit.printable(line)).join("\n")}\n`;
}
