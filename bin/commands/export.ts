/** From what was recorded to a scenario that anybody can run. */
import type { Command } from "@commander-js/extra-typings";
import { collect, withKit } from "../kit-failure.ts";
import { show, tell } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("export")
    .description("Make a scenario of a recording: plain YAML, which runs against any target.")
    .argument("<file>", "the recording")
    .requiredOption("--out <file>", "the scenario; its name becomes the id")
    .option("--from <time>", "only what began then or later: 10s after the beginning, or a time")
    .option("--to <time>", "only what began until then")
    .option("--key <name>", "only requests of this key (repeatable)", collect, [])
    .option("--only <pattern>", "only requests such as 'POST */order' (repeatable)", collect, [])
    .option(
      "--role <key=role>",
      "the role of a key of the recording, such as key-1=reader (repeatable)",
      collect,
      [],
    )
    .option("--spec <clause>", "a clause that the scenario is about (repeatable)", collect, [])
    .option("--title <text>", "the statement that the scenario tests")
    .option(
      "--profile <file>",
      "the profile with the names of the operations; default: those of the simulator",
    )
    .action((file, flags) =>
      withKit(async (kit) => {
        const { key: keys, role: roles, ...rest } = flags;
        await kit.checkOutput("--out", flags.out);
        const { text, steps, remarks } = await kit.exportFile({ file, keys, roles, ...rest });
        await kit.writeOutput(flags.out, text);
        for (const remark of remarks) tell(`gatewright export: ${kit.printable(remark)}\n`);
        show(`${flags.out} has ${kit.counted(steps, "step")}; to run it: gatewright replay ${flags.out}\n`);
      }),
    );
}
