/** Copies and removes the files of a venue. */
import { StartFailure } from "./options.ts";
import { StoreFailure } from "./sequencer/store-failure.ts";
import { backUp, type VenueBackup } from "./store/backup.ts";
import { resetFiles, type VenueReset } from "./store/reset.ts";

export type { VenueBackup } from "./store/backup.ts";
export type { VenueReset } from "./store/reset.ts";

/** @throws StartFailure when a process holds the file, or when it is not a venue's. */
export function resetVenue(db: string): VenueReset {
  try {
    return resetFiles(db);
  } catch (error) {
    throw startFailureFrom(error);
  }
}

/**
 * Copies a venue of another process, or one that does not run. Not for a venue of this process: reading its file would
 * take its lock away.
 *
 * @throws StartFailure when the venue is not whole, or the copy has no place to go.
 */
export async function backUpVenue(db: string, out: string): Promise<VenueBackup> {
  try {
    return await backUp(db, out);
  } catch (error) {
    throw startFailureFrom(error);
  }
}

const startFailureFrom = (error: unknown): unknown =>
  error instanceof StoreFailure ? new StartFailure(error.message) : error;
