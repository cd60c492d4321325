/** `gatewright capsule`: a world of a running sandbox as the file of a bug report. */
import type { Command } from "@commander-js/extra-typings";
import { type AccessFlags, accessIn, answerOf, worldPath } from "../control-access.ts";
import { withKit } from "../kit-failure.ts";
import { show, tell } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("capsule")
    .description(
      "Write a world of a running sandbox into one file, without secrets: its world file, its journal, and what clients said. `gatewright replay` runs it anywhere.",
    )
    .requiredOption("--out <file>", "the capsule, such as lost-fill.capsule")
    .option("--world <name>", "the world of the sandbox; default: main")
    .option("--ready-file <file>", "the run file, or the line of `gatewright serve --json`, of the sandbox")
    .option("--control-token <token>", "the control token, if it is not that of the ready file")
    .action(write);
}

interface Flags extends AccessFlags {
  readonly out: string;
  readonly world?: string | undefined;
}

const write = ({ out, world, ...access }: Flags): Promise<void> =>
  withKit(async (kit) => {
    await kit.checkOutput("--out", out);
    const answer = await answerOf(await accessIn(access, kit), { path: `${worldPath(world)}/capsule` });
    // as: the simulator's own answer.
    const { file, entries, exchanges, leftOut } = answer as {
      readonly file: string;
      readonly entries: number;
      readonly exchanges: number;
      readonly leftOut: number;
    };
    const bytes = Buffer.from(file, "base64");
    await kit.writeOutput(out, bytes);
    if (leftOut > 0)
      tell(
        `gatewright capsule: ${kit.counted(leftOut, "exchange")} left out: a client had put a secret into it\n`,
      );
    const holds = `${entries} entries, ${exchanges} exchanges, ${bytes.length} bytes`;
    show(`${out} has ${holds}; to run it: gatewright replay ${out}\n`);
  });
