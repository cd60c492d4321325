/** The draft is a guess for a person to correct, so a profile is overwritten only on request. */
import { existsSync } from "node:fs";
import { type Command, Option } from "@commander-js/extra-typings";
import * as kit from "../../conformance/commands.ts";
import { CommandFailure } from "../command-failure.ts";
import { show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("probe")
    .description(
      "Look at a gateway from outside and draft its profile. Sends only GET requests unless told otherwise.",
    )
    .option("--target <url>", "base address of the gateway, ending in /api/v1/trading")
    .option("--key-id <id>", "key id for --target")
    .option("--secret-env <variable>", "environment variable that holds the secret for --target")
    .option("--profile <file>", "start from a profile: its credentials and mapped operations are kept")
    .addOption(
      new Option("--allow <what>", "reject-only: also send requests that every gateway must refuse")
        .choices(["read", "reject-only"] as const)
        .default("read" as const),
    )
    .option("--out <file>", "write the profile to this file instead of printing it")
    .option("--force", "overwrite the file")
    .action(async (options) => {
      const { target, keyId, secretEnv, profile, allow, out, force } = options;
      if (profile !== undefined && target !== undefined)
        throw new CommandFailure("give --profile or --target, not both");
      if (out !== undefined && force !== true && existsSync(out))
        throw new CommandFailure(`${out} exists already: name another file, or use --force`);
      if (out !== undefined) await kit.checkOutput("--out", out);
      const draft = await kit.probe({ target, keyId, secretVariable: secretEnv, profile, allow });
      if (out === undefined) show(draft);
      else {
        await kit.writeOutput(out, draft, { fresh: force !== true });
        show(`${out} is a draft: read it, correct it, then gatewright conform --profile ${out}\n`);
      }
    });
}
