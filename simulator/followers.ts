/**
 * The worlds that this node follows, because it was told to, while other nodes have them.
 *
 * **Purpose.** A signed GET, or the handshake of a stream, is answered here instead of being passed on.
 *
 * **Invariants.** What is answered here is the state after an entry of the log, with the hash of the log. It is not older than
 * anything that this node has passed an answer of, nor than the sequence that the request asks for, nor than a lease. No
 * nonce is accepted twice: this process remembers those that it has accepted, also when it becomes the owner; it reads
 * those of the owner with the entries; and what was signed before it began, or ahead of its clock, goes to the owner.
 *
 * **Ordering.** The owner tells of a batch in the transaction of the batch; what it has told is read, entry by entry. What was
 * missed is read with the next sign of life.
 *
 * **Failure.** An entry with another hash, or a gap, takes the world out of service here until the node starts again: requests go
 * to the owner, and the log and the list of nodes say why. A store that does not answer only makes the copy too old.
 *
 * **Known limits.** A nonce that a follower has accepted for a read can be accepted once more by each other node.
 */
import type { IncomingMessage } from "node:http";
import { NonceMemory } from "./auth/nonces.ts";
import { FollowedWorld, mostWaitMs } from "./followed-world.ts";
import type { Listener } from "./http/listener.ts";
import { headersOf } from "./http/received-headers.ts";
import { builtFrom, headerOf, type NodeWorldsPlan } from "./node-worlds.ts";
import { minSequenceOf } from "./sequence-headers.ts";
import type { SnapshotRow, VenueHeader } from "./sequencer/ports.ts";
import { type Recovered, recover } from "./sequencer/recover.ts";
import { StoreFailure } from "./sequencer/store-failure.ts";
import { forgetAllFollowed, forgetFollowed, noteFollowed } from "./store/postgres/followers.ts";
import { fileOf, findWorld } from "./store/postgres/lease.ts";
import { latestSnapshot, readFloors, readNoncesAfter, readTail } from "./store/postgres/read.ts";
import type { BuiltWorld } from "./world/build-world.ts";
import { authSettings } from "./world-parts.ts";
import { keySuffixOf, mainWorld } from "./worlds.ts";

export interface FollowersPlan extends NodeWorldsPlan {
  readonly listener: Listener;
  /** The world is at this node. */
  readonly isMine: (name: string) => boolean;
}

/** One of the worlds that this node was told to follow. */
interface Following {
  readonly name: string;
  /** Null while the world is here, or the store has none of this name. */
  world: FollowedWorld | null;
  /** When it began, by the clock of authentication. */
  since: number;
  /** By `performance.now()`: it had all entries then. */
  freshAt: number;
  /** By the same clock: when the owner last answered a request that this node had passed on. */
  passedAt: number;
  /** The last row of the nonces that the owner has accepted, as far as they are known here. */
  lastNonce: string;
  trouble: string | null;
  /** The reading under way, or the last one; and the one that will begin after it. */
  last: Promise<void>;
  next: Promise<void> | null;
}

/** Entries of one turn of the event loop. */
const entriesAtOnce = 200;

export class Followers {
  readonly #plan: FollowersPlan;
  readonly #all: ReadonlyMap<string, Following>;
  #unlisten: (() => void) | null = null;
  #isListening = false;
  #poll: NodeJS.Timeout | undefined;

  constructor(plan: FollowersPlan) {
    this.#plan = plan;
    const names = plan.options.store?.follow ?? [];
    this.#all = new Map(names.map((name) => [name, notBegun(name)]));
    plan.listener.app.addHook("preClose", (done) => {
      for (const { world } of this.#all.values()) world?.stream.stream.endAll(1001);
      done();
    });
  }

  async start(): Promise<void> {
    const { server } = this.#plan;
    await forgetAllFollowed(server);
    if (this.#all.size === 0) return;
    this.#poll = setInterval(() => this.#look(), server.liveEveryMs).unref();
    this.#look();
  }

  close(): void {
    clearInterval(this.#poll);
    this.#poll = undefined;
    this.#unlisten?.();
  }

  /** Undefined while this node does not follow it. */
  get(name: string): FollowedWorld | undefined {
    return this.#all.get(name)?.world ?? undefined;
  }

  /** The owner has answered a request of this world, and the answer goes through this node. */
  passed(name: string): void {
    const one = this.#all.get(name);
    if (one !== undefined) one.passedAt = performance.now();
  }

  /** The world that answers this request here, once it has got as far as it has to; undefined: it goes to the owner. */
  async reading(name: string, request: IncomingMessage): Promise<FollowedWorld | undefined> {
    const one = this.#all.get(name);
    if (one === undefined || request.method !== "GET" || !this.#isAllowed(one, request)) return undefined;
    const { world, passedAt } = one;
    const wanted = minSequenceOf(request);
    if (world === null || Number.isNaN(wanted)) return undefined;
    if (one.freshAt >= passedAt && world.seq >= wanted) return world;
    await inTime(this.#read(one));
    if (one.freshAt < passedAt || !(await world.reached(wanted))) return undefined;
    return one.world === world && this.#isAllowed(one, request) ? world : undefined;
  }

  #isAllowed({ world, freshAt, since }: Following, request: IncomingMessage): boolean {
    const { server, options } = this.#plan;
    if (world === null || !world.isPlain || performance.now() - freshAt > server.leaseMs) return false;
    const { keyId, timestamp } = headersOf(request).credentials;
    const signedAt = Number(timestamp);
    return (
      signedAt > since && signedAt <= (options.authClock ?? Date.now)() && world.keyOf(keyId) !== undefined
    );
  }

  /** With each sign of life: what was missed, and what others see of it. */
  #look(): void {
    if (!this.#isListening) void this.#listen();
    for (const one of this.#all.values()) void this.#read(one).then(() => this.#note(one));
  }

  async #listen(): Promise<void> {
    this.#isListening = true;
    const ended = (): void => {
      this.#isListening = false;
      this.#unlisten = null;
    };
    const heard = (name: string): void => {
      const one = this.#all.get(name);
      if (one !== undefined) void this.#read(one);
    };
    try {
      this.#unlisten = await this.#plan.server.listen(heard, ended);
      if (this.#poll === undefined) this.#unlisten();
    } catch {
      ended();
    }
  }

  async #note(one: Following): Promise<void> {
    const { server } = this.#plan;
    const { name, world, trouble } = one;
    if (world === null && trouble === null) return;
    await noteFollowed(server, { world: name, entry: world?.seq ?? 0, trouble }).catch(() => {});
    // Left meanwhile: what was noted after that would stay.
    if (one.world === null && one.trouble === null) await forgetFollowed(server, name).catch(() => {});
  }

  /** Resolves after a reading that begins from now on. One at a time, and those who ask meanwhile share the next. */
  #read(one: Following): Promise<void> {
    if (one.next !== null) return one.next;
    const next = one.last.then(() => {
      one.next = null;
      return this.#tryToCatchUp(one);
    });
    one.next = one.last = next;
    return next;
  }

  async #tryToCatchUp(one: Following): Promise<void> {
    if (this.#poll === undefined) return;
    try {
      await this.#catchUp(one);
    } catch (error) {
      // All else is a store that does not answer.
      if (error instanceof StoreFailure && error.kind !== "io") this.#outOfService(one, error);
    }
  }

  async #catchUp(one: Following): Promise<void> {
    const { server, isMine } = this.#plan;
    const { name, trouble } = one;
    if (isMine(name)) return this.#leave(one);
    if (trouble !== null) return;
    const world = (one.world ??= await this.#begin(one));
    if (world === null) return;
    for (;;) {
      const askedAt = performance.now();
      const [tail, used] = await Promise.all([
        readTail(server, name, world.seq, entriesAtOnce),
        readNoncesAfter(server, name, one.lastNonce),
      ]);
      this.#noncesOf(name, world.built).restore({ load: () => used.nonces, loadFloors: () => [] });
      one.lastNonce = used.last;
      if (tail?.id !== world.id || tail.head < world.seq) {
        this.#plan.options.onNotice?.(
          `World ${name}: it is gone from the store. This node follows what has its name now.`,
        );
        await this.#leave(one);
        void this.#read(one);
        return;
      }
      try {
        world.apply(tail.entries);
        const isLast = world.seq >= tail.head;
        if (isLast && one.freshAt === -Infinity) world.audit();
        if (isLast) one.freshAt = askedAt;
        if (isLast) return;
      } catch (error) {
        return this.#outOfService(one, error);
      }
    }
  }

  /** Null: there is no such world. */
  async #begin(one: Following): Promise<FollowedWorld | null> {
    const { server, built: own, options, worlds, listener } = this.#plan;
    const { name } = one;
    const file = name === mainWorld ? undefined : await fileOf(server, name);
    if (name !== mainWorld && file === undefined) return null;
    const built = name === mainWorld ? own : builtFrom(name, file);
    const refusal = name === mainWorld ? null : worlds.whyNot(name, built);
    if (refusal !== null) throw new StoreFailure("other", refusal);
    const found = await findWorld(server, name, headerOf(built));
    if (found === undefined) return null;
    const { id, header } = found;
    await noteFollowed(server, { world: name, entry: 0, trouble: null });
    const [snapshot, used, floors] = await Promise.all([
      latestSnapshot(server, name),
      readNoncesAfter(server, name, "0"),
      readFloors(server, name),
    ]);
    const begun = begunWith(header, snapshot, built);
    if (begun.passedOver !== null) options.onNotice?.(`World ${name}: ${begun.passedOver}`);
    const nonces = this.#noncesOf(name, built);
    nonces.restore({ load: () => used.nonces, loadFloors: () => floors });
    one.lastNonce = used.last;
    one.since = (options.authClock ?? Date.now)();
    one.freshAt = -Infinity;
    const keySuffix = keySuffixOf(name);
    options.onNotice?.(`This node follows the world ${name}.`);
    return new FollowedWorld({ name, built, id, header, ...begun, keySuffix, nonces, listener, options });
  }

  /** The world is here now, or another one has its name. */
  async #leave(one: Following): Promise<void> {
    const { world, name } = one;
    if (world === null) return;
    one.world = null;
    world.end();
    await forgetFollowed(this.#plan.server, name);
  }

  #outOfService(one: Following, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    one.trouble = message;
    one.world?.end();
    this.#plan.options.onNotice?.(
      `World ${one.name}: this node follows it no further, and passes its reads on to the node that has it. ${message}`,
    );
  }

  #noncesOf(name: string, { server }: BuiltWorld): NonceMemory {
    const { nonces } = this.#plan;
    const known = nonces.get(name) ?? new NonceMemory(authSettings(server));
    nonces.set(name, known);
    return known;
  }
}

const notBegun = (name: string): Following => ({
  name,
  world: null,
  since: Infinity,
  freshAt: -Infinity,
  passedAt: -Infinity,
  lastNonce: "0",
  trouble: null,
  last: Promise.resolve(),
  next: null,
});

/** Resolves when the work is done, or has taken too long. */
const inTime = (work: Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    const late = setTimeout(resolve, mostWaitMs);
    void work.then(() => {
      clearTimeout(late);
      resolve();
    });
  });

/** At the snapshot, audited, or before the first entry. All that follows is read a page at a time. */
function begunWith(header: VenueHeader, snapshot: SnapshotRow | null, { world }: BuiltWorld): Recovered {
  const nothingMore = { header, latestSnapshot: () => snapshot, entriesAfter: () => [].values() };
  try {
    return recover(nothingMore, world);
  } catch (error) {
    throw new StoreFailure("other", error instanceof Error ? error.message : String(error));
  }
}
