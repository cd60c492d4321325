/**
 * The place of a world in PostgreSQL, as one node has it: it waits for the lease, renews it, and comes back after a failure.
 *
 * **Invariants.** A node that has lost the world never opens it again by itself: it was told so by `fenced`, and its
 * process ends. One that has lost the server only tries again.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { World } from "../../domain/world.ts";
import { StoreFailure } from "../../sequencer/store-failure.ts";
import { type CopiedJournal, copyOf } from "./copied-journal.ts";
import { leaseOf, type PostgresOptions, WorldHeld } from "./lease.ts";
import { openPostgres } from "./open.ts";

export interface StorePlan {
  readonly options: PostgresOptions;
  readonly world: World;
  /** Hears, each time that it asked in vain, who has the world. */
  readonly onHeld: (holder: WorldHeld) => void;
}

/** How often a node that waits for a world asks for it. */
const askEveryMs = 500;

export class WorldStore {
  readonly #plan: StorePlan;
  #current: CopiedJournal;
  #next: CopiedJournal | null = null;
  #coming: Promise<void> | null = null;
  /** Another node has the world. */
  #lost: StoreFailure | null = null;
  /** Whose failure was told. */
  #toldOf: CopiedJournal["log"] | null = null;
  #address: string | null = null;
  readonly #renewal: NodeJS.Timeout;
  #onFailure: (failure: StoreFailure) => void = () => {};

  constructor(plan: StorePlan, current: CopiedJournal) {
    this.#plan = plan;
    this.#current = current;
    this.#renewal = setInterval(() => this.#renew(), leaseOf(plan.options) / 3).unref();
  }

  /** Waits while another node has the world. */
  static async join(plan: StorePlan): Promise<WorldStore> {
    for (;;) {
      try {
        return new WorldStore(plan, await opened(plan));
      } catch (error) {
        if (!(error instanceof WorldHeld)) throw error;
        plan.onHeld(error);
        await pause(askEveryMs);
      }
    }
  }

  /** Hears of a lease that could not be renewed. */
  set onFailure(listener: (failure: StoreFailure) => void) {
    this.#onFailure = listener;
  }

  /** Where nodes that wait find this one, also after it has come back: `host:port`. */
  async announce(address: string): Promise<void> {
    this.#address = address;
    await this.#current.log.announce(address);
  }

  /** `again`: after a failure. Throws until the server has been reached, and for ever once another node has the world. */
  open(again: boolean): CopiedJournal {
    if (!again) return this.#current;
    const { failure } = this.#current.log;
    if (failure?.kind === "fenced") this.#lost = failure;
    if (this.#lost !== null) throw this.#lost;
    if (this.#next === null) {
      this.#coming ??= this.#comeBack();
      throw new StoreFailure("io", "PostgreSQL does not answer.");
    }
    this.#current = this.#next;
    this.#next = null;
    return this.#current;
  }

  async close(): Promise<void> {
    clearInterval(this.#renewal);
    await this.#coming;
    for (const { log } of [this.#current, ...(this.#next === null ? [] : [this.#next])]) {
      await log.release().catch(() => {});
      await log.close().catch(() => {});
    }
  }

  async #comeBack(): Promise<void> {
    await this.#current.log.close().catch(() => {});
    try {
      const next = await opened(this.#plan);
      if (this.#address !== null) await next.log.announce(this.#address);
      this.#next = next;
    } catch (error) {
      if (error instanceof WorldHeld) this.#lost = new StoreFailure("fenced", error.message);
      else if (error instanceof StoreFailure && error.kind !== "io") this.#lost = error;
    } finally {
      this.#coming = null;
    }
  }

  #renew(): void {
    if (this.#coming !== null || this.#lost !== null) return;
    const { log } = this.#next ?? this.#current;
    log.renew().catch((error: unknown) => {
      if (!(error instanceof StoreFailure) || log !== this.#current.log || this.#toldOf === log) return;
      this.#toldOf = log;
      this.#onFailure(error);
    });
  }
}

async function opened({ options, world }: StorePlan): Promise<CopiedJournal> {
  const log = await openPostgres(options);
  try {
    return await copyOf(log, world);
  } catch (error) {
    await log.close().catch(() => {});
    throw error;
  }
}
