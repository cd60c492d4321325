/** `gatewright mcp`: a running sandbox as tools of an assistant. */
import type { Command } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { CommandFailure } from "../command-failure.ts";
import { accessIn } from "../control-access.ts";
import { findReadyFile } from "../run-file.ts";
import { isThisMachine } from "../this-machine.ts";

export function register(program: Command): void {
  program
    .command("mcp")
    .description(
      "Serve a running sandbox to an assistant: the Model Context Protocol over standard input and output. The sandbox is that of this folder, unless --ready-file names another; it runs on this machine.",
    )
    .option("--ready-file <file>", "the run file, or the line of `gatewright serve --json`, of the sandbox")
    .action(async (flags) => {
      const access = await accessIn(flags);
      const readyFile = findReadyFile(flags.readyFile, [])?.file ?? "";
      const { baseUrl } = await kit.readReadyFile(readyFile);
      if (!isThisMachine(new URL(access.url)) || !isThisMachine(new URL(baseUrl)))
        throw new CommandFailure(
          `${readyFile} names a sandbox on another machine: assistants get sandboxes of this one`,
        );
      const [{ serveTools }, { toolsOf }] = await Promise.all([
        import("../mcp/server.ts"),
        import("../mcp/tools.ts"),
      ]);
      await serveTools(toolsOf({ access, readyFile, baseUrl }), program.version() ?? "");
    });
}
