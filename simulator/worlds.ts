/**
 * The worlds of a process, chosen by API key. `main` is the world of the start; others are made and forgotten while it
 * runs, live in memory, and end with the process.
 *
 * **Invariants.** A key id belongs to one world, the first that had it: those of `main` are as its file has them, those of
 * another end in its name, and so do their secrets follow from it.
 * A world that is reset has the keys of its world file. `main` is never deleted.
 *
 * **Known limits.** All worlds share one thread, one listener and its limits. A reset closes the WebSockets of its world, and
 * a request under way then is answered by the world that took it.
 */
import { invariant } from "./domain/invariant.ts";
import { err, ok, type Result } from "./domain/result.ts";
import type { VenueState } from "./engine/state.ts";
import type { Owner } from "./exchanges/recorder.ts";
import { publicSecrets } from "./exposure.ts";
import type { InternalOptions } from "./internal-options.ts";
import { keysOf, type LiveWorld, openWorld, type SharedParts, type WorldPlan } from "./live-world.ts";
import { StartFailure } from "./options.ts";
import { withoutDefects } from "./seams.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import { choicesInForce } from "./world/freedoms.ts";

export const mainWorld = "main";

/** The end of the key ids of a world of this name. */
export const keySuffixOf = (name: string): string => (name === mainWorld ? "" : `_${name}`);

/** The names behind a key id of this world, as the exchange log has them. */
export function ownerIn(
  { name: world, keyOf, secrets, built }: Pick<LiveWorld, "name" | "keyOf" | "secrets" | "built">,
  state: VenueState,
  keyId: string,
): Owner {
  const caller = keyOf(keyId)?.caller;
  const client = caller === undefined || caller.client === null ? null : state.client(caller.client).name;
  const freedoms = choicesInForce(state.settings, built.server);
  return { world, key: caller?.name ?? null, client, secrets: secrets(), freedoms };
}

export class Worlds {
  readonly #options: InternalOptions;
  readonly #shared: SharedParts;
  readonly #worlds = new Map<string, LiveWorld>();
  /** All keys, of world files and created ones. */
  readonly #byKey = new Map<string, LiveWorld>();
  #main: LiveWorld;

  constructor(built: BuiltWorld, options: InternalOptions, shared: SharedParts) {
    this.#options = options;
    this.#shared = shared;
    const { from, clock } = options.begun ?? {};
    const begun = from === undefined || clock === undefined ? {} : { from, clock };
    this.#main = openWorld({ ...this.#planOf(mainWorld), built, ...begun }, shared);
    this.#add(this.#main);
  }

  get main(): LiveWorld {
    return this.#main;
  }

  /** The oldest first. */
  all(): LiveWorld[] {
    return [...this.#worlds.values()];
  }

  get(name: string): LiveWorld | undefined {
    return this.#worlds.get(name);
  }

  /** A key that no world knows is refused by `main`. */
  ofKey(keyId: string): LiveWorld {
    return this.#byKey.get(keyId) ?? this.#main;
  }

  ownerOf(keyId: string): Owner {
    const world = this.ofKey(keyId);
    return ownerIn(world, world.venue.state, keyId);
  }

  create(name: string, built: BuiltWorld): Result<LiveWorld, string> {
    return this.#open(name, { built });
  }

  /** `entry`: of the journal of `from`, after which the two part; null: as it is now. */
  fork(from: string, name: string, entry: number | null): Result<LiveWorld, string> {
    const { built, venue, image, liveState } = this.#named(from);
    const parts = { built, clock: venue.clock.mode, from: { image: image(), entry } };
    if (entry !== null) return this.#open(name, parts);
    return this.#open(name, { ...parts, liveState: liveState() });
  }

  /** A world of the store comes to this node; `main` takes the place of what stood in for it. `onStopped` hears of its end. */
  adopt(
    name: string,
    built: BuiltWorld,
    parts: Required<Pick<InternalOptions, "stored" | "onStopped">> & Pick<InternalOptions, "nonces">,
  ): LiveWorld {
    const plan = this.#planOf(name);
    const isMain = name === mainWorld;
    const options = { ...plan.options, db: ":memory:", ...parts };
    const world = openWorld({ ...plan, options, built }, isMain ? this.#shared : this.#others());
    this.#replace(name, world);
    return world;
  }

  /** It ends here. In the place of `main` there is then an empty world again. */
  async drop(name: string): Promise<void> {
    const world = this.#worlds.get(name);
    await world?.venue.underWay;
    if (world === undefined || this.#worlds.get(name) !== world) return;
    if (name !== mainWorld) return this.delete(name);
    this.#replace(name, openWorld({ ...this.#planOf(name), built: world.built }, this.#shared));
  }

  /** The world begins anew, with an empty journal and the keys of its world file. */
  reset(name: string): LiveWorld {
    const world = this.#named(name);
    const { built, venue } = world;
    const isMain = world === this.#main;
    const again = openWorld(
      { ...this.#planOf(name), built, clock: venue.clock.mode, epoch: venue.epoch + 1 },
      isMain ? this.#shared : this.#others(),
    );
    this.#replace(name, again);
    this.#options.onKeys?.();
    return again;
  }

  /** A world in a file is reset by `gatewright reset`, and one of a store is deleted and made anew. */
  isInMemory(name: string): boolean {
    const { db = ":memory:", store } = this.#options;
    return store === undefined && (name !== mainWorld || db === ":memory:");
  }

  delete(name: string): void {
    const world = this.#named(name);
    this.#end(world);
    this.#worlds.delete(name);
    this.#forgetKeys(world);
  }

  interruptMoves(): void {
    for (const { venue } of this.all()) venue.interruptMove();
  }

  async close(): Promise<void> {
    for (const { venue } of this.all()) {
      await venue.underWay;
      venue.close();
    }
    this.#shared.exchanges?.close();
  }

  #open(
    name: string,
    parts: Pick<WorldPlan, "built" | "clock" | "from" | "liveState">,
  ): Result<LiveWorld, string> {
    const plan = { ...this.#planOf(name), ...parts };
    const refusal = this.whyNot(name, parts.built);
    if (refusal !== null) return err(refusal);
    try {
      const world = openWorld(plan, this.#others());
      this.#add(world);
      return ok(world);
    } catch (error) {
      if (error instanceof StartFailure) return err(error.message);
      throw error;
    }
  }

  /** Why there can be no world of this kind, as a sentence. */
  whyNot(name: string, built: BuiltWorld): string | null {
    const taken = keysOf(built, this.#planOf(name).keySuffix).find(({ keyId }) => this.#byKey.has(keyId));
    if (taken !== undefined) return `The key id ${taken.keyId} belongs to another world: choose another name`;
    try {
      publicSecrets(this.#options, built);
      return null;
    } catch (error) {
      if (error instanceof StartFailure) return error.message;
      throw error;
    }
  }

  #planOf(name: string): Pick<WorldPlan, "name" | "options" | "keySuffix"> {
    const onKeys = (): void => {
      const world = this.#worlds.get(name);
      if (world === undefined) return;
      this.#learnKeys(world);
      if (name === mainWorld) this.#options.onKeys?.();
    };
    return name === mainWorld
      ? {
          name,
          options: { ...this.#options, worldQuota: {}, onKeys },
          keySuffix: this.#options.begun?.keySuffix ?? keySuffixOf(name),
        }
      : { name, options: { ...this.#inMemory(name), onKeys }, keySuffix: keySuffixOf(name) };
  }

  #named(name: string): LiveWorld {
    const world = this.#worlds.get(name);
    invariant(world !== undefined, "the caller knows that the world is there");
    return world;
  }

  #replace(name: string, world: LiveWorld): void {
    const before = this.#worlds.get(name);
    if (before !== undefined) {
      this.#end(before);
      this.#forgetKeys(before);
    }
    this.#add(world);
    if (name === mainWorld) this.#main = world;
  }

  #add(world: LiveWorld): void {
    this.#worlds.set(world.name, world);
    this.#learnKeys(world);
  }

  #learnKeys(world: LiveWorld): void {
    for (const { keyId } of world.keys) if (!this.#byKey.has(keyId)) this.#byKey.set(keyId, world);
  }

  #forgetKeys(world: LiveWorld): void {
    for (const { keyId } of world.keys) if (this.#byKey.get(keyId) === world) this.#byKey.delete(keyId);
  }

  #end({ name, venue, stream: { stream } }: LiveWorld): void {
    stream.endAll(1001);
    this.#shared.exchanges?.forget(name);
    venue.interruptMove();
    venue.close();
  }

  /** Defects belong to the world that was started with them. */
  #others(): SharedParts {
    return { ...this.#shared, seams: withoutDefects };
  }

  #inMemory(name: string): InternalOptions {
    const { authClock, onNotice, throughJournal, worldQuota } = this.#options;
    const say = (sentence: string): void => onNotice?.(`World ${name}: ${sentence}`);
    return {
      db: ":memory:",
      onNotice: say,
      onStopped: say,
      ...(authClock === undefined ? {} : { authClock }),
      ...(worldQuota === undefined ? {} : { worldQuota }),
      ...(throughJournal === undefined ? {} : { throughJournal }),
    };
  }
}
