/** `gatewright reset`: the name of the file is all the confirmation that it asks for. */
import type { Command } from "@commander-js/extra-typings";
import { resetVenue } from "../../simulator/index.ts";
import { show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("reset")
    .description(
      "Remove the files of a venue: database, log and mark. The next start creates a new one. Refused while a process has the file open.",
    )
    .requiredOption("--db <file>", "database file of the venue")
    .action(({ db }) => show(sentenceOf(db, resetVenue(db))));
}

function sentenceOf(db: string, { removed, evidence }: ReturnType<typeof resetVenue>): string {
  const done =
    removed.length === 0
      ? `There is no venue at ${db}: nothing to remove.\n`
      : `Removed ${removed.join(", ")}. The next start creates a new venue.\n`;
  return evidence.length === 0
    ? done
    : `${done}Kept, as evidence of what stopped it: ${evidence.join(", ")}.\n`;
}
