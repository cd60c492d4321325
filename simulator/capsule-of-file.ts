/** The file of a bug report out of the database of a venue that does not run. Nothing is written to the venue's files. */
import { existsSync } from "node:fs";
import { saltedSecret } from "./auth/keyring.ts";
import type { WrittenCapsule } from "./capsule/capsule.ts";
import { writeCapsule } from "./capsule/write-capsule.ts";
import { checkVenue } from "./check-venue.ts";
import type { Command } from "./domain/command.ts";
import type { World } from "./domain/world.ts";
import type { LoggedExchange } from "./exchanges/exchange.ts";
import { defaultBounds, exchangesBeside } from "./exchanges/open-log.ts";
import { type SimulatorOptions, StartFailure } from "./options.ts";
import { readWorld } from "./read-world.ts";
import type { JournalEntry } from "./sequencer/ports.ts";
import { exchangesOf } from "./store/database-file.ts";
import { openToCheck } from "./store/open-to-check.ts";
import { version } from "./version.ts";
import { mainWorld } from "./worlds.ts";

/**
 * Worlds beside `main` are in memory, so the file has no others.
 *
 * @throws StartFailure when the file is not there, in use, damaged, not a venue's, or of another world.
 */
export async function capsuleOfFile(
  options: Required<Pick<SimulatorOptions, "db">> & Pick<SimulatorOptions, "world" | "seed" | "onNotice">,
): Promise<WrittenCapsule> {
  const { db, onNotice = () => undefined } = options;
  const built = await readWorld(options);
  const { whole, entries: until, file: path, problems } = await checkVenue(options);
  if (!whole) throw new StartFailure(`${path} is damaged: ${problems[0]?.sentence ?? ""}`);
  const exchanges = exchangesOfFile(path, onNotice);
  // It was whole a moment ago; later entries are not taken.
  const file = openToCheck(db, built.world, () => undefined);
  try {
    const { header } = file.venue;
    const keys = [...secretsIn(file.entries(), built.world)];
    const source = {
      name: mainWorld,
      keySuffix: "",
      program: version,
      built,
      keys,
      header,
      until,
      exchanges,
    };
    const written = await writeCapsule({ ...source, entries: file.entries() });
    if (!written.ok) throw new StartFailure(written.error);
    return written.value;
  } finally {
    file.rows.close();
    file.close();
  }
}

/** Of the world file, and of the keys that were created or rotated. */
function* secretsIn(entries: Iterable<JournalEntry>, { keys }: World): Iterable<{ readonly secret: string }> {
  yield* keys;
  for (const { kind, command } of entries) {
    if (kind !== "CreateKey" && kind !== "RotateKey") continue;
    // as: the journal holds the command as it was decided.
    const { keyId, salt } = JSON.parse(command) as Command<"CreateKey" | "RotateKey">;
    yield { secret: saltedSecret(keys, keyId, salt) };
  }
}

/** No bug needs them to be replayed, so a log that cannot be read is told and left out. */
function exchangesOfFile(path: string, onNotice: (sentence: string) => void): readonly LoggedExchange[] {
  const file = exchangesOf(path);
  if (!existsSync(file)) return [];
  try {
    return exchangesBeside(file, defaultBounds, mainWorld);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    onNotice(`The exchange log ${file} cannot be read (${why}): the capsule has no exchanges`);
    return [];
  }
}
