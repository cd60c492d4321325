/**
 * The worlds of a store, as one node sees them.
 *
 * **Purpose.** Any node takes any request. A request goes to the node that has its world; a world that nobody has is opened
 * where it is asked for first.
 *
 * **Invariants.** A node lets go of a lease only when no request of the world is under way. `main` is always there for the
 * parts of the process that need a clock and a status: where another node has it, an empty one in memory stands in for it,
 * which gets no request.
 *
 * **Known limits.** The market of a world without a node stands still, and goes on with the next request, as after a restart.
 * Streams of a world that moves or is taken over end, and clients connect again.
 */
import type { NonceMemory } from "./auth/nonces.ts";
import type { ControlledNodes, ControlledWorlds, NodeView, WorldView } from "./control/control-route.ts";
import { err, ok, type Result } from "./domain/result.ts";
import type { Owner } from "./exchanges/recorder.ts";
import { Followers } from "./followers.ts";
import { forwardedBy } from "./forwarder.ts";
import { controlPrefix } from "./http/guard.ts";
import type { Listener } from "./http/listener.ts";
import type { Handshake } from "./http/upgrade.ts";
import { asStartFailure } from "./join-store.ts";
import type { StreamWorld } from "./mount-stream.ts";
import { NodeWorlds, type NodeWorldsPlan } from "./node-worlds.ts";
import { Places } from "./places.ts";
import { StoreFailure } from "./sequencer/store-failure.ts";
import { deleteUnused, nodesOf, WorldHeld, worldsOf } from "./store/postgres/lease.ts";
import { mainWorld } from "./worlds.ts";

export interface NodesPlan extends Omit<NodeWorldsPlan, "nonces"> {
  readonly listener: Listener;
  /** Of the control surface; all nodes have the same. */
  readonly token: string | null;
}

/** When absent in the options. */
const sleepAfterMs = 600_000;
/** How often worlds are looked for that nobody has used for days. */
const maintainEveryMs = 60_000;

export class Nodes implements ControlledNodes {
  readonly #plan: NodesPlan;
  readonly #mine: NodeWorlds;
  readonly #followers: Followers;
  readonly #places: Places;
  #heartbeat: NodeJS.Timeout | undefined;
  #isLiving = false;
  #maintainedAt = -Infinity;

  constructor(plan: NodesPlan) {
    const withNonces = { ...plan, nonces: new Map<string, NonceMemory>() };
    this.#plan = plan;
    this.#mine = new NodeWorlds(withNonces);
    const isMine = (name: string): boolean => this.#mine.get(name) !== undefined;
    this.#followers = new Followers({ ...withNonces, isMine });
    this.#places = new Places({ ...plan, mine: this.#mine, followers: this.#followers });
  }

  /** Tells the others where this node is (`host:port`), and opens `main` unless another node has it. */
  async start(address: string): Promise<void> {
    const { server, options, token } = this.#plan;
    server.address = address;
    if (token !== null && options.controlToken === undefined)
      options.onNotice?.(
        "This node has a control token of its own. Give all nodes the same --control-token: controls go to the node that has their world.",
      );
    await server.live();
    this.#heartbeat = setInterval(() => void this.#live(), server.liveEveryMs).unref();
    try {
      await this.#mine.open(mainWorld);
    } catch (error) {
      if (!(error instanceof WorldHeld)) throw asStartFailure(error);
      options.onNotice?.(`${error.message} This node passes requests on to it.`);
    }
    await this.#followers.start();
  }

  /** After the worlds are closed: leaves them to the others. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#places.close();
    this.#followers.close();
    await Promise.all(this.#mine.all().map(([, { stored }]) => stored.release()));
    await this.#plan.server.close();
  }

  handshake(handshake: Handshake, serve: (followed?: StreamWorld) => Promise<void>): void {
    this.#places.handshake(handshake, serve);
  }

  /** Of a key of a world that this node follows. */
  ownerOf(keyId: string): Owner | undefined {
    return this.#places.ownerOf(keyId);
  }

  controlled(): ControlledWorlds {
    return this.#mine.controlled();
  }

  all(): Promise<readonly NodeView[]> {
    return nodesOf(this.#plan.server);
  }

  worlds(most: number): Promise<readonly WorldView[]> {
    return worldsOf(this.#plan.server, most);
  }

  /** Hands a world of this node over. Requests of it wait meanwhile, and go to the new place then. */
  async move(name: string, node: string): Promise<Result<void, string>> {
    if (node === this.#plan.server.node) return ok(undefined);
    const nodes = await this.all();
    const { address = null } = nodes.find((one) => one.name === node) ?? {};
    if (address === null)
      return err(`There is no node ${node}: there are ${nodes.map((one) => one.name).join(", ")}`);
    // One request of it is under way: this one.
    const left = await this.#mine.handOver(name, node, 1, () => this.#opensAt(name, address));
    if (left === "busy") return err("Requests of this world were under way for too long: try again");
    return left
      ? ok(undefined)
      : err(`The node ${node} has the world, and could not open it: its log says why`);
  }

  async #opensAt(name: string, address: string): Promise<boolean> {
    const { token, server } = this.#plan;
    const headers = { authorization: `Bearer ${token ?? ""}`, [forwardedBy]: server.node };
    const url = `http://${address}${controlPrefix}/worlds/${name}`;
    const answer = await fetch(url, { headers }).catch(() => null);
    await answer?.body?.cancel();
    return answer?.ok === true;
  }

  /** A sign of life. Worlds that others have taken meanwhile are given up; those that nobody uses are left to sleep. */
  async #live(): Promise<void> {
    if (this.#isLiving) return;
    this.#isLiving = true;
    const { server, worlds, options } = this.#plan;
    const before = this.#mine.all().map(([name, { stored }]) => ({ name, stored, epoch: stored.epoch }));
    const isHere = ({ name, stored, epoch }: (typeof before)[number]): boolean =>
      this.#mine.get(name)?.stored === stored && stored.epoch === epoch;
    const failed = (failure: StoreFailure): void => {
      for (const one of before.filter(isHere)) worlds.get(one.name)?.venue.storeFailed(failure);
    };
    const late = setTimeout(() => failed(new StoreFailure("io", silentText)), server.leaseMs);
    try {
      const owned = await server.live();
      for (const one of before)
        if (isHere(one) && owned.get(one.name)?.epoch !== one.epoch)
          await this.#mine.lost(one.name, "another node has taken it over.");
      const idleMs = options.store?.sleepAfterMs ?? sleepAfterMs;
      await this.#mine.sleep(idleMs, (name) => owned.get(name)?.isFollowed === true);
      await this.#maintain();
    } catch (error) {
      failed(error instanceof StoreFailure ? error : new StoreFailure("io", awayText(error)));
    } finally {
      clearTimeout(late);
      this.#isLiving = false;
    }
  }

  async #maintain(): Promise<void> {
    const { server, options } = this.#plan;
    const days = options.worldQuota?.unusedDays;
    if (days === undefined || performance.now() - this.#maintainedAt < maintainEveryMs) return;
    this.#maintainedAt = performance.now();
    for (const name of await deleteUnused(server, mainWorld, days))
      options.onNotice?.(`The world ${name} was deleted: nobody has used it for ${days} days.`);
  }
}

const silentText =
  "PostgreSQL has not answered for as long as a lease lasts: another node may have taken the worlds.";
const awayText = (error: unknown): string =>
  `PostgreSQL failed while the leases were kept (${error instanceof Error ? error.message : String(error)}).`;
