/** It works from the ledgers of runs, so it cancels what the kit has placed and nothing else. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { collect, type FlagsOf } from "../flag-values.ts";
import { jsonText, show } from "../screen.ts";
import { targetOf, withTargetFlags } from "../target-flags.ts";

type CleanUpReport = Awaited<ReturnType<(typeof kit)["cleanUpAfter"]>>;

const declare = (program: Command) =>
  withTargetFlags(
    program
      .command("cleanup")
      .description(
        "Find and cancel the orders that an interrupted conformance run has left open at a target.",
      ),
  )
    .option(
      "--ledger <file>",
      "ledger of the run (repeatable); all in .gatewright/runs when absent",
      collect,
      [],
    )
    .option("--json", "print the result as JSON");

export const register = (program: Command): void => void declare(program).action(cleanUp);

type CleanUpFlags = FlagsOf<typeof declare>;

async function cleanUp(flags: CleanUpFlags): Promise<void> {
  const profile = await kit.profileOf(await targetOf(flags));
  const report = await kit.cleanUpAfter(profile, flags.ledger);
  show(flags.json === true ? `${jsonText(report)}\n` : shown(report));
  process.exitCode = report.exitCode;
}

function shown({ cleaned, passedOver }: CleanUpReport): string {
  const { printable } = kit;
  const lines = cleaned.flatMap(({ ledger, cancelled, gone, neverSeen, left }) => [
    `${ledger}: ${cancelled.length} cancelled, ${gone.length} not open any more, ${neverSeen.length} never seen, ${left.length} left open`,
    ...cancelled.map((order) => `  cancelled ${printable(order.id)} ${printable(order.product)}`),
    ...gone.map(
      ({ order, seen }) =>
        `  not open  ${printable(order.id)} ${printable(order.product)}: ${printable(seen)}`,
    ),
    ...left.map(
      ({ order, reason }) =>
        `  LEFT      ${printable(order.id || `client_order_id ${order.clientOrderId}`)} ${printable(order.product)} of ${order.role}: ${printable(reason)}`,
    ),
  ]);
  const skipped = passedOver.map(({ ledger, reason }) => `${ledger}: passed over, because ${reason}`);
  const nothing =
    cleaned.length + passedOver.length === 0 ? ["there is no ledger here: nothing to clean up"] : [];
  return `${[...lines, ...skipped, ...nothing].join("\n")}\n`;
}
