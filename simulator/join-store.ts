/** The way of a start to a store that nodes share. */
import { type Composed, compose } from "./compose.ts";
import { Forwarder } from "./forwarder.ts";
import type { InternalOptions } from "./internal-options.ts";
import { StartFailure } from "./options.ts";
import type { Seams } from "./seams.ts";
import { StoreFailure } from "./sequencer/store-failure.ts";
import type { WorldStore } from "./store/postgres/world-store.ts";
import { engineVersion } from "./version.ts";
import type { BuiltWorld } from "./world/build-world.ts";

/** The parts, and what a start over a store has to do besides. */
export interface Start extends Composed {
  /** The port that nobody else took while this node waited. */
  readonly port: number;
  /** Tells nodes that wait where this one is: `host:port`. */
  readonly announce: (address: string) => Promise<void>;
}

/** With the world `main` in the store, if there is one; lets go of the store where composing fails. */
export async function composeWithStore(
  built: BuiltWorld,
  options: InternalOptions,
  seams: Seams | undefined,
): Promise<Start> {
  const { port = 0 } = options;
  const joined = await join(built, options);
  if (joined === null) return { ...compose(built, options, seams), port, announce: () => Promise.resolve() };
  const { stored } = joined;
  try {
    const composed = compose(built, { ...options, db: ":memory:", stored }, seams);
    const { venue } = composed.worlds.main;
    stored.onFailure = (failure) => venue.storeFailed(failure);
    // The first entries of a new world are durable before the first request.
    await venue.underWay;
    // A store that cannot be written now hears it when this node has come back to it.
    const announce = (address: string) => stored.announce(address).catch(() => undefined);
    return { ...composed, port: joined.port, announce };
  } catch (error) {
    await stored.close();
    throw error;
  }
}

interface Joined {
  readonly stored: WorldStore;
  readonly port: number;
}

/**
 * Null without a store. While another node has the world, connections are passed on to it. The driver of PostgreSQL is loaded
 * here at the earliest.
 */
async function join(built: BuiltWorld, options: InternalOptions): Promise<Joined | null> {
  const { store, host = "127.0.0.1", port = 0, onNotice = () => undefined } = options;
  if (store === undefined) return null;
  const { schema = "gatewright", ...access } = store;
  const { world } = built;
  let forwarder: Promise<Forwarder> | undefined;
  const onHeld = ({
    message,
    address,
  }: {
    readonly message: string;
    readonly address: string | null;
  }): void => {
    if (forwarder === undefined) {
      onNotice(`${message} This node passes requests on to it, and waits until it can take the world over.`);
      forwarder = Forwarder.listen({ host, port });
    }
    void forwarder.then((one) => one.aim(address));
  };
  try {
    const { WorldStore } = await import("./store/postgres/world-store.ts");
    const place = { ...access, schema, world: "main", header: headerOf(built) };
    const stored = await WorldStore.join({ options: place, world, onHeld });
    return { stored, port: (await forwarder)?.port ?? port };
  } catch (error) {
    throw asStartFailure(error);
  } finally {
    await (await forwarder)?.close();
  }
}

const headerOf = ({ world, clock }: BuiltWorld) => ({
  world: world.canonical,
  worldDigest: world.digest,
  seed: world.seed,
  engineVersion,
  epoch: 0,
  createdAt: clock.mode === "manual" ? world.startAt : Date.now(),
});

function asStartFailure(error: unknown): unknown {
  if (error instanceof StoreFailure) return new StartFailure(error.message);
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND"
    ? new StartFailure("A store in PostgreSQL needs the package pg: npm install pg")
    : error;
}
