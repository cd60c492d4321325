/** Options that are not documented, in a file of their own: the types of the package reach only what a user can give. */
import type { ClockMode } from "./domain/world.ts";
import type { Exchange } from "./exchanges/exchange.ts";
import type { SimulatorOptions } from "./options.ts";
import type { Journal, Origin } from "./sequencer/ports.ts";
import type { WorldStore } from "./store/postgres/world-store.ts";

/** A journal to go on from, and what belongs to it. */
export interface Begun {
  readonly from: Origin;
  readonly clock: ClockMode;
  /** The suffix that clients see on the key ids of its world file. */
  readonly keySuffix: string;
  /** For the exchange log. */
  readonly exchanges: readonly Exchange[];
}

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
  /** Where the world `main` is, if not in a file. */
  readonly stored?: WorldStore;
  /** Between the venue and its file. */
  readonly throughJournal?: (journal: Journal) => Journal;
}
