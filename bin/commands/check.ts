/** `gatewright check`: reads, and never writes. */
import type { Command } from "@commander-js/extra-typings";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { checkVenue, StartFailure, type VenueCheck } from "../../simulator/index.ts";
import { CommandFailure } from "../command-failure.ts";
import { jsonText, show } from "../screen.ts";
import { readSeed } from "../seed.ts";

export function register(program: Command): void {
  program
    .command("check")
    .description(
      "Replay the whole journal of a venue that is not running and compare everything in its file with it: hash chain, readable tables, snapshots, mark, nonces. Writes nothing. Exit code 0: whole; 1: not.",
    )
    .requiredOption("--db <file>", "database file of the venue")
    .option("--world <file>", "world file that it was made with; the demo world when absent")
    .option("--seed <number>", "seed that it was made with, when it is not the world's", readSeed)
    .option("--json", "as JSON")
    .action(async ({ db, world, seed, json }) => {
      const check = await checkVenue({
        db,
        ...(world === undefined ? {} : { world }),
        ...(seed === undefined ? {} : { seed }),
      }).catch((error: unknown) => {
        throw error instanceof StartFailure ? new CommandFailure(error.message) : error;
      });
      show(json === true ? `${jsonText(check, 2)}\n` : textOf(check));
      process.exitCode = check.whole ? exitCodes.ok : exitCodes.nonConformant;
    });
}

function textOf({ file, whole, entries, hash, snapshots, nonces, mark, problems }: VenueCheck): string {
  const replayed = `${entries} entries replayed${hash === null ? "" : ` to hash ${hash}`}`;
  const beside = `snapshots: ${snapshots}, nonces: ${nonces}, mark: ${mark}`;
  if (whole) return `${file} is whole: ${replayed}; ${beside}.\n${mark === "valid" ? "" : noMark}`;
  const list = problems.map(
    ({ entry, sentence }) => `  ${entry === null ? "file" : `entry ${entry}`}: ${sentence}\n`,
  );
  return `${file} is not whole: ${replayed}; ${beside}.\n${list.join("")}`;
}

const noMark = "Without a valid mark nobody can tell whether entries are missing at its end.\n";
