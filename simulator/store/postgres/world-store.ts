/**
 * The place of a world in PostgreSQL, as its owner has it. It comes back after a failure.
 *
 * **Invariants.** A node that has lost the world never opens it again by itself. One that has lost the server only tries
 * again.
 */
import type { World } from "../../domain/world.ts";
import { StoreFailure } from "../../sequencer/store-failure.ts";
import { CopiedJournal, copyOf, type Forked, fill } from "./copied-journal.ts";
import { PostgresJournal } from "./journal.ts";
import { addWorld, type StoredWorld, WorldHeld } from "./lease.ts";
import type { StoreServer } from "./server.ts";

export interface StorePlan {
  readonly server: StoreServer;
  readonly stored: StoredWorld;
  readonly world: World;
}

export class WorldStore {
  readonly #plan: StorePlan;
  #current: CopiedJournal;
  #next: CopiedJournal | null = null;
  #coming: Promise<void> | null = null;
  /** Another node has the world. */
  #lost: StoreFailure | null = null;

  constructor(plan: StorePlan, current: CopiedJournal) {
    this.#plan = plan;
    this.#current = current;
  }

  /** @throws WorldHeld while another node has the world. */
  static async take(plan: StorePlan): Promise<WorldStore> {
    return new WorldStore(plan, await taken(plan));
  }

  /** Null: there is a world of this name. `begun` is what it begins with; else with nothing. */
  static async create(plan: StorePlan, begun: Forked | null): Promise<WorldStore | null> {
    if (!(await addWorld(plan.server, plan.stored))) return null;
    if (begun === null) return WorldStore.take(plan);
    const log = await PostgresJournal.take(plan.server, plan.stored);
    await fill(log, begun);
    return new WorldStore(plan, new CopiedJournal(log, begun.journal));
  }

  /** Of the lease; the server knows this owner by it. */
  get epoch(): string {
    return (this.#next ?? this.#current).log.epoch;
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

  /** To this node; null: any one may take the world over at once. */
  async release(to: string | null = null): Promise<void> {
    await this.#end((log) => log.release(to));
  }

  async delete(): Promise<void> {
    await this.#end((log) => log.delete());
  }

  async #end(last: (log: PostgresJournal) => Promise<void>): Promise<void> {
    await this.#coming;
    const { log } = this.#next ?? this.#current;
    await last(log).catch(() => {});
    log.close();
  }

  async #comeBack(): Promise<void> {
    this.#current.log.close();
    try {
      this.#next = await taken(this.#plan);
    } catch (error) {
      if (error instanceof WorldHeld) this.#lost = new StoreFailure("fenced", error.message);
      else if (error instanceof StoreFailure && error.kind !== "io") this.#lost = error;
    } finally {
      this.#coming = null;
    }
  }
}

async function taken({ server, stored, world }: StorePlan): Promise<CopiedJournal> {
  return copyOf(await PostgresJournal.take(server, stored), world);
}
