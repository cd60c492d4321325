/** The version as a command, because people type it. */
import type { Command } from "@commander-js/extra-typings";
import { show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("version")
    .description("Print the version of this program.")
    .action(() => show(`${program.version() ?? ""}\n`));
}
