/** It reads the register and the scenarios, and asks no gateway. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { collect } from "../flag-values.ts";
import { show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("explain")
    .description("Explain a clause: its statement and level, the cases that test it, and their needs.")
    .argument("<clause>", "id of a clause, an assumption or a property, for example PLC-11, AS-13 or P-16")
    .option(
      "--scenarios <place>",
      "folder or file with scenarios instead of the built-in suite (repeatable)",
      collect,
      [],
    )
    .action(async (clause, options) => show(await kit.explainClause(clause, options.scenarios)));
}
