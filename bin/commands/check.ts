/** `gatewright check`: reads, and never writes. */
import type { Command } from "@commander-js/extra-typings";
import { exitCodes } from "../../conformance/exit-codes.ts";
import { checkVenue, type VenueCheck } from "../../simulator/index.ts";
import { readSeed } from "../flag-values.ts";
import { jsonText, show } from "../screen.ts";

export function register(program: Command): void {
  program
    .command("check")
    .description(
      "Replay the journal of a venue that is not running and compare its file with the result: hash chain, readable tables, snapshots, mark, nonces. Writes nothing. Exit code 0: intact; 1: damaged.",
    )
    .requiredOption("--db <file>", "database file of the venue")
    .option("--world <file>", "world file of the venue; default: the demo world")
    .option("--seed <number>", "seed of the venue, if it differs from that of the world file", readSeed)
    .option("--json", "as JSON")
    .action(async ({ db, world, seed, json }) => {
      const check = await checkVenue({
        db,
        ...(world === undefined ? {} : { world }),
        ...(seed === undefined ? {} : { seed }),
      });
      show(json === true ? `${jsonText(check, 2)}\n` : textOf(check));
      process.exitCode = check.whole ? exitCodes.ok : exitCodes.nonConformant;
    });
}

function textOf({ file, whole, entries, hash, snapshots, nonces, mark, problems }: VenueCheck): string {
  const replayed = `${entries} entries replayed${hash === null ? "" : ` to hash ${hash}`}`;
  const beside = `snapshots: ${snapshots}, nonces: ${nonces}, mark: ${mark}`;
  if (whole) return `${file} is intact: ${replayed}; ${beside}.\n${mark === "valid" ? "" : noMark}`;
  const list = problems.map(
    ({ entry, sentence }) => `  ${entry === null ? "file" : `entry ${entry}`}: ${sentence}\n`,
  );
  return `${file} is damaged: ${replayed}; ${beside}.\n${list.join("")}`;
}

const noMark =
  "Without a valid mark, the check cannot tell whether entries are missing at the end of the file.\n";
