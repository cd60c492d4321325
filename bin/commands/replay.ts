import { existsSync } from "node:fs";
import type { Command } from "@commander-js/extra-typings";
import { withKit } from "../kit-failure.ts";
import { show, tell } from "../screen.ts";
import { StopOnSignal } from "../stop-on-signal.ts";
import { type TargetFlags, targetOf, withTargetFlags } from "../target-flags.ts";

type Kit = typeof import("../../conformance/commands.ts");

export function register(program: Command): void {
  withTargetFlags(
    program
      .command("replay")
      .description(
        "Run single scenario files against a target, and compare the answers with the recorded ones.",
      )
      .argument("<files...>", "scenarios, such as counterexamples/cx-p18-2f9c1e.yaml"),
  ).action((files, flags) => withKit((kit) => replay(files, flags, kit)));
}

async function replay(files: readonly string[], flags: TargetFlags, kit: Kit): Promise<void> {
  const target = await targetOf(flags, kit);
  using stop = new StopOnSignal();
  const ledger = kit.newLedgerPath();
  const running = kit.replay({ ...target, files, ledger, signal: stop.signal });
  const replayed = await running.catch((error: unknown) => stop.orRethrow(error));
  for (const row of replayed.rows) show(replayed.redact(shown(row, kit)));
  show(replayed.redact(`${replayed.verdict} ${replayed.reason}\n`));
  if (existsSync(ledger))
    tell(`gatewright: orders are left open; to cancel them: gatewright cleanup --ledger ${ledger} …\n`);
  process.exitCode = replayed.exitCode;
}

type Row = Awaited<ReturnType<Kit["replay"]>>["rows"][number];

/** The outcome, what differs from the expectation, and what was answered then and now; `~` where that differs. */
function shown({ row, recorded, now }: Row, kit: Kit): string {
  const lines = [`${row.outcome.padEnd(7)} ${row.id}: ${row.title}`];
  if (row.reason !== undefined) lines.push(`        ${row.reason}`);
  for (const { severity, step, expected, actual } of row.findings)
    if (severity !== "info") lines.push(`        ${step}: expected ${expected}, was ${actual}`);
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
