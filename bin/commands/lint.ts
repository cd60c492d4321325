import type { Command } from "@commander-js/extra-typings";
import { exitCodes } from "../exit-codes.ts";
import { withKit } from "../kit-failure.ts";

export function register(program: Command): void {
  program
    .command("lint")
    .description("Check scenario files without sending anything.")
    .argument("[places...]", "files or folders; the built-in suite by default")
    .action((places) =>
      withKit(async (kit) => {
        const { problems, files, suite } = await kit.readSuite(places);
        for (const problem of problems) process.stdout.write(`${kit.renderProblem(problem)}\n`);
        const count = `${files.length} files, ${suite.scenarios.length} scenarios, ${suite.fragments.size} fragments`;
        process.stdout.write(
          problems.length === 0 ? `${count}: no problems\n` : `${count}: ${problems.length} problems\n`,
        );
        process.exitCode = problems.length === 0 ? exitCodes.ok : exitCodes.usage;
      }),
    );
}
