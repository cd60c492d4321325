/** `gatewright backup`: copies a venue, running or not, and writes nothing to it. */
import type { Command } from "@commander-js/extra-typings";
import { backUpVenue } from "../../simulator/index.ts";
import { show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("backup")
    .description(
      "Copy a venue to another file, even while it runs: everything that was acknowledged until now, as one database with its mark. Replaces no file.",
    )
    .requiredOption("--db <file>", "database file of the venue")
    .requiredOption("--out <file>", "database file to make")
    .action(async ({ db, out }) => {
      const { file, last } = await backUpVenue(db, out);
      const holds =
        last === null ? "no entry yet" : `entries 1 to ${last.seq}, the last with hash ${last.hash}`;
      show(`Copied ${db} to ${file}: ${holds}. Keep its mark ${file}.mark with it.\n`);
    });
}
