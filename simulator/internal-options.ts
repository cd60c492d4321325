/** Options that are not documented, in a file of their own: the types of the package reach only what a user can give. */
import type { NonceMemory } from "./auth/nonces.ts";
import type { Begun } from "./open-capsule.ts";
import type { SimulatorOptions } from "./options.ts";
import type { Journal } from "./sequencer/ports.ts";
import type { WorldStore } from "./store/postgres/world-store.ts";

/** Options without a flag, which are not documented: a capsule that is served and, for tests, a disk that fills up and shorter time-outs. */
export interface InternalOptions extends SimulatorOptions {
  /** Most pages of the database at the moment; asked whenever the file is opened. */
  readonly maxPages?: () => number | undefined;
  /** How soon a venue that cannot write tries again. */
  readonly retryMs?: number;
  /** Entries after which a snapshot is written. */
  readonly snapshotEvery?: number;
  /** For a venue in memory that goes on from a journal which is there already. */
  readonly begun?: Begun;
  /** Where a world is that is in a store. */
  readonly stored?: WorldStore;
  /** What it knows already, because this process has answered reads of it. */
  readonly nonces?: NonceMemory;
  /** Between the venue and its file. */
  readonly throughJournal?: (journal: Journal) => Journal;
}
