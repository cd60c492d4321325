/** Removes a venue, so that the next start founds a new one. */
import { StartFailure } from "./options.ts";
import { resetFiles, type VenueReset } from "./store/reset.ts";
import { StoreFailure } from "./store/store-failure.ts";

export type { VenueReset } from "./store/reset.ts";

/** @throws StartFailure when a process holds the file, or when it is not a venue's. */
export function resetVenue(db: string): VenueReset {
  try {
    return resetFiles(db);
  } catch (error) {
    throw error instanceof StoreFailure ? new StartFailure(error.message) : error;
  }
}
