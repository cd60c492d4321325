/** It reads the register and the scenarios, and asks no gateway. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { CommandFailure } from "../command-failure.ts";
import { collect } from "../flag-values.ts";
import { show } from "../screen.ts";

/** Ids as the interface writes those of orders, and the sandbox those of requests. */
const ofTraffic = /^(?:[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|req-\w+)$/;

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
    .action(async (clause, options) => {
      if (ofTraffic.test(clause))
        throw new CommandFailure(
          `${clause} is the id of an order or a request, and not of a clause: did you mean "gatewright why ${clause}"?`,
        );
      show(await kit.explainClause(clause, options.scenarios));
    });
}
