/** A venue as vitest's hooks start and stop it. Apart from `venue.ts`, which also programs without vitest use. */
import { afterAll, beforeAll } from "vitest";
import type { SimulatorOptions } from "../index.ts";
import { startVenue, type Venue } from "./venue.ts";

/** One venue for all tests of the block. */
export function useVenue(options: SimulatorOptions = {}): () => Venue {
  let venue: Venue | undefined;
  beforeAll(async () => {
    venue = await startVenue(options);
  });
  afterAll(async () => {
    await venue?.close();
  });
  return () => {
    if (venue === undefined) throw new Error("the venue is not running");
    return venue;
  };
}
