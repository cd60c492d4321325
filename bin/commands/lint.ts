/** A scenario with problems is wrong input, so it ends with 2, like a wrong flag. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("lint")
    .description("Check scenario files without sending anything.")
    .argument("[places...]", "files or folders; the built-in suite by default")
    .action(async (places) => {
      const { problems, files, suite } = await kit.readSuite(places);
      for (const problem of problems) show(`${kit.renderProblem(problem)}\n`);
      const { scenarios, fragments } = suite;
      const count = [
        kit.counted(files.length, "file"),
        kit.counted(scenarios.length, "scenario"),
        kit.counted(fragments.size, "fragment"),
      ].join(", ");
      show(
        problems.length === 0
          ? `${count}: no problems\n`
          : `${count}: ${kit.counted(problems.length, "problem")}\n`,
      );
      process.exitCode = problems.length === 0 ? exitCodes.ok : exitCodes.usage;
    });
}
