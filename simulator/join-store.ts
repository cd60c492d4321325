/** The way of a start to a store that nodes share. */
import { type Composed, compose } from "./compose.ts";
import type { InternalOptions } from "./internal-options.ts";
import { StartFailure } from "./options.ts";
import type { Seams } from "./seams.ts";
import { StoreFailure } from "./sequencer/store-failure.ts";
import type { WorldStore } from "./store/postgres/world-store.ts";
import { engineVersion } from "./version.ts";
import type { BuiltWorld } from "./world/build-world.ts";

/** Null without a store. Waits while another node has the world; PostgreSQL's driver is loaded here at the earliest. */
async function joinStore(
  { world, clock }: BuiltWorld,
  { store, onNotice = () => undefined }: InternalOptions,
): Promise<WorldStore | null> {
  if (store === undefined) return null;
  const { schema = "gatewright", ...access } = store;
  const header = {
    world: world.canonical,
    worldDigest: world.digest,
    seed: world.seed,
    engineVersion,
    epoch: 0,
    createdAt: clock.mode === "manual" ? world.startAt : Date.now(),
  };
  try {
    const { WorldStore } = await import("./store/postgres/world-store.ts");
    return await WorldStore.join({ options: { ...access, schema, world: "main", header }, world, onNotice });
  } catch (error) {
    if (error instanceof StoreFailure) throw new StartFailure(error.message);
    if (error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND")
      throw new StartFailure("A store in PostgreSQL needs the package pg: npm install pg");
    throw error;
  }
}

/** Composes the parts, with the world `main` in the store if there is one; lets go of the store where that fails. */
export async function composeWithStore(
  built: BuiltWorld,
  options: InternalOptions,
  seams: Seams | undefined,
): Promise<Composed> {
  const stored = await joinStore(built, options);
  if (stored === null) return compose(built, options, seams);
  try {
    const composed = compose(built, { ...options, db: ":memory:", stored }, seams);
    const { venue } = composed.worlds.main;
    stored.onFailure = (failure) => venue.storeFailed(failure);
    // The first entries of a new world are durable before the first request.
    await venue.underWay;
    return composed;
  } catch (error) {
    await stored.close();
    throw error;
  }
}
