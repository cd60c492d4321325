/** It reads the register and the scenarios, and asks no gateway. */
import type { Command } from "@commander-js/extra-typings";
import { collect, withKit } from "../kit-failure.ts";
import { show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("explain")
    .description("Explain a clause: its statement and level, the cases that test it, and their needs.")
    .argument("<clause>", "clause id, for example PLC-11")
    .option(
      "--scenarios <place>",
      "folder or file with scenarios instead of the built-in suite (repeatable)",
      collect,
      [],
    )
    .action((clause, options) =>
      withKit(async (kit) => {
        show(await kit.explainClause(clause, options.scenarios));
      }),
    );
}
