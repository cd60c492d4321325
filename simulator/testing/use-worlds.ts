/** Worlds for tests that need a fresh one each, in one sandbox: a world is made much sooner than a sandbox. */
import type { ClockMode } from "../domain/world.ts";
import type { WorldFile } from "../world/schema.ts";
import { type Credentials, type JsonObject, listIn, text } from "./client.ts";
import { useVenue } from "./use-venue.ts";
import { Venue } from "./venue.ts";
import { quietWorld } from "./worlds.ts";

interface Options {
  readonly world?: WorldFile;
  readonly clock?: ClockMode;
}

/** As `withVenue`: by default the market clock is manual and no synthetic market disturbs. */
export type WithWorld = <T>(options: Options, work: (venue: Venue) => Promise<T>) => Promise<T>;

export function useWorlds(sandbox = useVenue()): WithWorld {
  let count = 0;
  return async ({ world = quietWorld(), clock = "manual" }, work) => {
    const { simulator, notices } = sandbox();
    count += 1;
    const name = `w${count}`;
    // as: a world file is JSON.
    const made = await sandbox().control("/worlds", { name, clock, world: world as unknown as JsonObject });
    const keys = listIn(made["keys"]).map((key): Credentials & { name: string } => ({
      name: text(key, "name"),
      keyId: text(key, "keyId"),
      secret: text(key, "secret"),
    }));
    try {
      return await work(new Venue(simulator, notices, Date.now, { name, keys }));
    } finally {
      await sandbox().control(`/worlds/${name}`, {}, "DELETE");
    }
  };
}
