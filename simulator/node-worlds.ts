/**
 * The worlds of the store that this node has: they come, are made, and go.
 *
 * **Invariants.** A world is here only with its lease. Changes of one world follow each other, and requests of it wait until
 * they are over.
 */
import type { NonceMemory } from "./auth/nonces.ts";
import { worldLine, worldOf } from "./capsule/world-line.ts";
import type { ControlledWorlds } from "./control/control-route.ts";
import { err, ok } from "./domain/result.ts";
import type { InternalOptions } from "./internal-options.ts";
import type { LiveWorld } from "./live-world.ts";
import { StoreFailure } from "./sequencer/store-failure.ts";
import { openJournal } from "./store/open-journal.ts";
import type { Forked } from "./store/postgres/copied-journal.ts";
import { fileOf, type StoredWorld } from "./store/postgres/lease.ts";
import type { StoreServer } from "./store/postgres/server.ts";
import { WorldStore } from "./store/postgres/world-store.ts";
import { engineVersion } from "./version.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import { mainWorld, type Worlds } from "./worlds.ts";

export interface Held {
  readonly stored: WorldStore;
  /** Requests and handshakes under way. */
  busy: number;
  /** By `performance.now()`. */
  usedAt: number;
}

/** A request or a handshake; returns what ends it. */
export function beginUse(held: Held): () => void {
  held.busy += 1;
  held.usedAt = performance.now();
  return () => {
    held.busy -= 1;
  };
}

/** How long a world that is to go may have requests under way. */
const mostDrainMs = 10_000;

export interface NodeWorldsPlan {
  readonly server: StoreServer;
  readonly worlds: Worlds;
  /** The world `main`, as the start of this node has it. */
  readonly built: BuiltWorld;
  readonly options: InternalOptions;
  /** Of the worlds that this node has followed: those for which it has accepted reads. */
  readonly nonces: Map<string, NonceMemory>;
}

export class NodeWorlds {
  readonly #plan: NodeWorldsPlan;
  readonly #held = new Map<string, Held>();
  readonly #changing = new Map<string, Promise<unknown>>();

  constructor(plan: NodeWorldsPlan) {
    this.#plan = plan;
  }

  /** Undefined also while the world comes or goes. */
  get(name: string): Held | undefined {
    return this.#changing.has(name) ? undefined : this.#held.get(name);
  }

  all(): [name: string, held: Held][] {
    return [...this.#held];
  }

  /** Resolves when the world neither comes nor goes. */
  async settled(name: string): Promise<void> {
    await this.#changing.get(name)?.catch(() => {});
  }

  /** `worlds`, of which new ones are in the store. */
  controlled(): ControlledWorlds {
    const { worlds } = this.#plan;
    return {
      get main() {
        return worlds.main;
      },
      all: () => worlds.all().filter(({ name }) => this.#held.has(name)),
      get: (name) => worlds.get(name),
      reset: (name) => worlds.reset(name),
      isInMemory: (name) => worlds.isInMemory(name),
      create: (name, built) => this.#create(name, built, null),
      fork: (from, name, entry) => this.#fork(from, name, entry),
      delete: (name) => this.#whileChanging(name, () => this.#letGo(name, (stored) => stored.delete())),
    };
  }

  /** @throws WorldHeld while another node has it. */
  open(name: string): Promise<void> {
    return this.#whileChanging(name, async () => {
      if (this.#held.has(name)) return;
      const { server, built: own, options, worlds } = this.#plan;
      const isMain = name === mainWorld;
      const built = isMain ? own : builtFrom(name, await fileOf(server, name));
      const refusal = isMain ? null : worlds.whyNot(name, built);
      if (refusal !== null) throw new StoreFailure("other", refusal);
      const plan = { server, stored: storedAs(name, built), world: built.world };
      const created = isMain ? await WorldStore.create(plan, null) : null;
      await this.#adopt(name, built, created ?? (await WorldStore.take(plan)));
      options.onNotice?.(`This node serves the world ${name}.`);
    });
  }

  async #adopt(name: string, built: BuiltWorld, stored: WorldStore): Promise<LiveWorld> {
    try {
      const nonces = this.#plan.nonces.get(name);
      const world = this.#plan.worlds.adopt(name, built, {
        stored,
        onStopped: (sentence) => void this.lost(name, sentence).catch(() => {}),
        ...(nonces === undefined ? {} : { nonces }),
      });
      // The first entries of a new world are durable before its first request.
      await world.venue.underWay;
      this.#held.set(name, { stored, busy: 0, usedAt: performance.now() });
      return world;
    } catch (error) {
      await stored.release();
      throw error;
    }
  }

  async #create(name: string, built: BuiltWorld, from: Forked | null) {
    const { server, worlds } = this.#plan;
    const refusal = worlds.whyNot(name, built);
    if (refusal !== null) return err(refusal);
    const header = from?.journal.header ?? headerOf(built);
    const plan = { server, stored: { ...storedAs(name, built), header }, world: built.world };
    const stored = await WorldStore.create(plan, from);
    if (stored === null) return err(`There is a world ${name} already: delete it, or choose another name`);
    return ok(await this.#whileChanging(name, () => this.#adopt(name, built, stored)));
  }

  #fork(from: string, name: string, entry: number | null): ReturnType<ControlledWorlds["fork"]> {
    const source = this.#held.has(from) ? this.#plan.worlds.get(from) : undefined;
    if (source === undefined)
      return err(`The world ${from} is at another node: fork it there, by POST /worlds/${from}/fork`);
    const { built, image } = source;
    const { world } = built;
    const now = built.clock.mode === "manual" ? world.startAt : Date.now();
    const parts = { file: ":memory:", world, now, epoch: 0, engineVersion, from: { image: image(), entry } };
    return this.#create(name, built, { journal: openJournal(parts), of: from });
  }

  /** The world ends here; `last` is what the store hears of it. */
  async #letGo(name: string, last: (stored: WorldStore) => Promise<void>): Promise<void> {
    const held = this.#held.get(name);
    this.#held.delete(name);
    await this.#plan.worlds.drop(name);
    if (held !== undefined) await last(held.stored);
  }

  /** Another node has taken it over, or its journal is damaged: the next request finds out. */
  async lost(name: string, sentence: string): Promise<void> {
    const held = this.#held.get(name);
    if (held === undefined) return;
    this.#plan.options.onNotice?.(`World ${name}: ${sentence}`);
    await this.#whileChanging(name, () => this.#letGo(name, async () => {}));
  }

  /** At most so many of its requests are under way. */
  async #drained(name: string, most: number): Promise<boolean> {
    const held = this.#held.get(name);
    const latest = performance.now() + mostDrainMs;
    while (held !== undefined && held.busy > most) {
      if (performance.now() > latest) return false;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return held !== undefined;
  }

  /** The world ends here and is that node's. "busy": requests were under way for too long, and it stays. */
  async handOver(
    name: string,
    to: string,
    underWay: number,
    then: () => Promise<boolean>,
  ): Promise<boolean | "busy"> {
    return this.#whileChanging(name, async () => {
      if (!(await this.#drained(name, underWay))) return "busy";
      await this.#letGo(name, (stored) => stored.release(to));
      return then();
    });
  }

  /** Those that nobody has used for so long are left to the store; one that another node follows is in use there. */
  async sleep(idleMs: number, isFollowed: (name: string) => boolean): Promise<void> {
    for (const [name, held] of this.#held) {
      const isUsed = (): boolean =>
        held.busy > 0 || (this.#plan.worlds.get(name)?.streams.size ?? 0) > 0 || isFollowed(name);
      if (isUsed()) held.usedAt = performance.now();
      if (name === mainWorld || performance.now() - held.usedAt < idleMs) continue;
      await this.#whileChanging(name, async () => {
        if (!isUsed()) await this.#letGo(name, (stored) => stored.release());
      });
    }
  }

  /** Changes of one world follow each other. */
  async #whileChanging<T>(name: string, change: () => Promise<T>): Promise<T> {
    const before = this.#changing.get(name);
    const mine = (before ?? Promise.resolve()).catch(() => {}).then(change);
    this.#changing.set(name, mine);
    try {
      return await mine;
    } finally {
      if (this.#changing.get(name) === mine) this.#changing.delete(name);
    }
  }
}

const storedAs = (name: string, built: BuiltWorld): StoredWorld => ({
  name,
  header: headerOf(built),
  file: JSON.stringify(worldLine(built.source)),
});

export const headerOf = ({ world, clock }: BuiltWorld): StoredWorld["header"] => ({
  world: world.canonical,
  worldDigest: world.digest,
  seed: world.seed,
  engineVersion,
  epoch: 0,
  createdAt: clock.mode === "manual" ? world.startAt : Date.now(),
});

export function builtFrom(name: string, file: string | undefined): BuiltWorld {
  const built = worldOf(file === undefined ? {} : (JSON.parse(file) as object));
  if (built.ok) return built.value;
  throw new StoreFailure("other", `The world ${name} of the store cannot be built: ${built.error}.`);
}
