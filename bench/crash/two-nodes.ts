/**
 * Two nodes over one PostgreSQL, each behind a proxy of its own, and what can happen to them under load:
 *
 * - `kill`: SIGKILL of the node that has the world.
 * - `pause`: SIGSTOP of it until the other one has the world, then SIGCONT. It must not have it again.
 * - `cut`: the way of a node to PostgreSQL ends, falls silent or loses the answers, for a moment or until the other one has the
 *   world; then it heals, and what was held back arrives.
 * - `restart-server`: PostgreSQL crashes and starts again.
 * - `promote`: PostgreSQL is killed for good, and its synchronous standby takes its place.
 */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../../simulator/engine/testing/random.ts";
import type { Sqlite } from "../../simulator/store/driver.ts";
import type { PostgresServer } from "../../simulator/store/testing/postgres-server.ts";
import { type ServedVenue, type StartOptions, startVenue } from "./served-venue.ts";
import { inStoredBooks } from "./store-books.ts";
import { cutKinds, StoreProxy } from "./store-proxy.ts";
import { serves } from "./takeover.ts";
import { killStart, orderlyEnd, type Target, worldIn } from "./target.ts";

export const faults = ["kill", "pause", "cut", "restart-server", "promote"] as const;
export type Fault = (typeof faults)[number];

interface Node {
  readonly name: string;
  readonly venue: ServedVenue;
  readonly proxy: StoreProxy;
}

export class TwoNodes implements Target {
  readonly outlives: boolean;
  readonly startMs: number[] = [];
  readonly #folder: string;
  readonly #fault: Fault;
  readonly #flags: readonly string[];
  #server: PostgresServer;
  #standby: PostgresServer | undefined;
  /** The first has the world. */
  #nodes: Node[] = [];
  #started = 0;

  constructor(folder: string, server: PostgresServer, fault: Fault) {
    this.#folder = folder;
    this.#server = server;
    this.#fault = fault;
    this.outlives = fault !== "kill";
    this.#flags = ["--world", worldIn(folder), "--control-token", randomBytes(24).toString("hex")];
  }

  async venues(): Promise<readonly ServedVenue[]> {
    if (this.#fault === "promote") this.#standby ??= await this.#server.addStandby();
    while (this.#nodes.length < 2) {
      const { proxy, url } = await StoreProxy.before(this.#server.url);
      const { name, options } = this.#nextStart(url);
      this.#nodes.push({ name, proxy, venue: await startVenue(options) });
    }
    return this.#nodes.map(({ venue }) => venue);
  }

  async fail(random: Random): Promise<readonly string[]> {
    const [owner, other] = this.#nodes;
    if (owner === undefined || other === undefined) throw new Error("two nodes were started");
    switch (this.#fault) {
      case "kill":
        return this.#kill(owner, other);
      case "pause":
        return this.#pause(owner, other, random);
      case "cut":
        return this.#cut(owner, other, random);
      default:
        return this.#loseServer(random);
    }
  }

  killStart(afterMs: number): Promise<void> {
    return killStart(this.#nextStart(this.#server.url).options, afterMs);
  }

  inBooks<T>(judge: (books: Sqlite) => T): Promise<T> {
    return inStoredBooks(this.#server, this.#folder, judge);
  }

  async stop(): Promise<readonly string[]> {
    const problems: string[] = [];
    for (const { venue } of this.#nodes) problems.push(...(await orderlyEnd(venue)));
    return problems;
  }

  /** The servers and the proxies. */
  async remove(): Promise<void> {
    for (const { proxy } of this.#nodes) proxy.close();
    await this.#standby?.remove();
    await this.#server.remove();
  }

  async #kill(owner: Node, other: Node): Promise<readonly string[]> {
    const began = performance.now();
    await owner.venue.kill();
    owner.proxy.close();
    await this.#taken(other, began);
    this.#nodes = [other];
    return [];
  }

  async #pause(owner: Node, other: Node, random: Random): Promise<readonly string[]> {
    const began = performance.now();
    owner.venue.signal("SIGSTOP");
    try {
      await this.#taken(other, began);
      await sleep(random.int(0, 500));
    } finally {
      owner.venue.signal("SIGCONT");
    }
    return this.#goesOnAt(owner, other);
  }

  async #cut(owner: Node, other: Node, random: Random): Promise<readonly string[]> {
    const kind = random.pick(cutKinds);
    const where = random.pick(["owner until it has lost the world", "owner", "owner", "other"]);
    const { proxy } = where === "other" ? other : owner;
    const began = performance.now();
    proxy.fail(kind);
    if (where.startsWith("owner until")) {
      await this.#taken(other, began);
      await sleep(random.int(0, 500));
      proxy.heal();
      return this.#goesOnAt(owner, other);
    }
    await sleep(random.int(50, 2500));
    proxy.heal();
    await this.#settle();
    return [];
  }

  /** For a moment, or for good. */
  async #loseServer(random: Random): Promise<readonly string[]> {
    const standby = this.#standby;
    await this.#server.stop(standby === undefined ? "SIGQUIT" : "SIGKILL");
    for (const { proxy } of this.#nodes) proxy.fail("cut");
    await sleep(random.int(0, 1500));
    if (standby === undefined) await this.#server.run();
    else {
      await standby.promote();
      await this.#server.remove();
      this.#server = standby;
      this.#standby = undefined;
    }
    for (const { proxy } of this.#nodes) {
      proxy.target = this.#server.port;
      proxy.heal();
    }
    await this.#settle();
    return [];
  }

  /** The old owner passes requests on to the new one, which keeps the world: only with another epoch could it write again. */
  async #goesOnAt(old: Node, owner: Node): Promise<readonly string[]> {
    const before = await this.#lease();
    await serves(old.venue);
    await sleep(100);
    const after = await this.#lease();
    this.#nodes = [owner, old];
    const isKept = before.owner === owner.name && after.owner === owner.name && before.epoch === after.epoch;
    return isKept ? [] : [`the world went from ${JSON.stringify(before)} to ${JSON.stringify(after)}`];
  }

  async #taken(by: Node, began: number): Promise<void> {
    await serves(by.venue);
    this.startMs.push(Math.round(performance.now() - began));
  }

  /** Both nodes serve again, and one of them has the world. */
  async #settle(): Promise<void> {
    const began = performance.now();
    const [first, ...others] = this.#nodes.map((node) => serves(node.venue));
    await Promise.race([first, ...others]);
    this.startMs.push(Math.round(performance.now() - began));
    await Promise.all([first, ...others]);
    const { owner } = await this.#lease();
    this.#nodes.sort((one, two) => Number(two.name === owner) - Number(one.name === owner));
  }

  async #lease(): Promise<{ readonly owner: unknown; readonly epoch: unknown }> {
    const text = "SELECT owner, lease_epoch AS epoch FROM gatewright.world WHERE name = 'main'";
    const [row] = await this.#server.ask(text);
    return { owner: row?.["owner"], epoch: row?.["epoch"] };
  }

  #nextStart(url: string): { readonly name: string; readonly options: StartOptions } {
    this.#started += 1;
    const name = `node ${this.#started}`;
    return { name, options: { flags: [...this.#flags, "--store", url, "--node", name] } };
  }
}
