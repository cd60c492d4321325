import { type Command, Option } from "@commander-js/extra-typings";
import { collect } from "./flag-values.ts";

const levels = ["core", "core+limits", "core+events", "full"] as const;

/** The flags of `conform` and `plan` that say what is run. */
export function withSelectionFlags<Args extends unknown[], Flags extends Record<string, unknown>>(
  command: Command<Args, Flags>,
) {
  return command
    .option(
      "--scenarios <place>",
      "folder or file with scenarios instead of the built-in suite (repeatable)",
      collect,
      [],
    )
    .option(
      "--only <pattern>",
      "only these cases, by id (* is a wildcard), or those of a clause or tag (repeatable)",
      collect,
      [],
    )
    .option("--skip <pattern>", "leave out these cases, named in the same way (repeatable)", collect, [])
    .addOption(new Option("--level <level>", "the level to claim").choices(levels).default("core" as const));
}
