/** The journal of a venue, opened again after each failure, and the memory of nonces that goes with it. */
import type { NonceMemory } from "./auth/nonces.ts";
import type { InternalOptions } from "./internal-options.ts";
import { StartFailure } from "./options.ts";
import type { Origin } from "./sequencer/ports.ts";
import type { SqliteJournal } from "./store/journal.ts";
import { openJournal } from "./store/open-journal.ts";
import type { CopiedJournal } from "./store/postgres/copied-journal.ts";
import { engineVersion } from "./version.ts";
import type { BuiltWorld } from "./world/build-world.ts";

/** How often rows of forgotten nonces are deleted under load. */
const purgeEveryMs = 100;
/** Rows of one purge in an idle moment. */
const idlePurge = 10_000;

/** The parts of a world's plan that say where its journal is, and how it begins. */
export interface JournalPlan {
  readonly built: BuiltWorld;
  readonly options: InternalOptions;
  readonly from?: Origin;
  readonly epoch?: number;
}

type OpenJournal = SqliteJournal | CopiedJournal;

/** The journal of the moment, with the memory of nonces kept in step with it. */
export class Journals {
  #journal: OpenJournal | null = null;
  readonly #plan: Required<Omit<JournalPlan, "from">>;
  #from: Origin | undefined;
  readonly #nonces: NonceMemory;
  readonly #now: () => number;
  readonly #nonceLifetime: number;
  #lastPurge = 0;
  /** The last reading of the clock of authentication, and when it was taken. */
  #heard = { time: 0, at: 0 };
  #restored = false;

  constructor(plan: JournalPlan, nonces: NonceMemory, now: () => number, nonceLifetime: number) {
    const { built, options, epoch = 0, from } = plan;
    this.#plan = { built, options, epoch };
    this.#from = from;
    this.#nonces = nonces;
    this.#now = now;
    this.#nonceLifetime = nonceLifetime;
  }

  get current(): OpenJournal {
    if (this.#journal === null) throw new StartFailure("the journal is not open");
    return this.#journal;
  }

  open(again: boolean): OpenJournal {
    this.#heard = { time: this.#now(), at: performance.now() };
    const journal = this.#plan.options.stored?.open(again) ?? this.#openHere(again);
    // After a failure the memory knows at least what the file knows: restoring once is enough.
    if (!this.#restored) {
      // Expired nonces are not worth reading.
      journal.nonces.purge(this.#heard.time - this.#nonceLifetime, Number.MAX_SAFE_INTEGER);
      this.#nonces.restore(journal.nonces);
    }
    this.#restored = true;
    this.#journal = journal;
    return journal;
  }

  #openHere(again: boolean): SqliteJournal {
    const { built, options, epoch } = this.#plan;
    const from = this.#from;
    const { db = ":memory:", onNotice } = options;
    const maxPages = options.maxPages?.();
    const { world, clock } = built;
    // It is large, and a venue in memory is opened once.
    this.#from = undefined;
    return openJournal({
      file: db,
      world,
      now: clock.mode === "manual" ? world.startAt : Date.now(),
      authNow: this.#heard.time,
      engineVersion: engineVersion,
      again,
      ...(from === undefined ? {} : { from }),
      epoch,
      ...(maxPages === undefined ? {} : { maxPages }),
      ...(onNotice === undefined ? {} : { onWarning: onNotice }),
    });
  }

  /**
   * Inside a transaction: floors that rose, and now and then the rows that they, or the time, make superfluous. Says
   * whether there may be more of them.
   */
  maintain(idle: boolean): boolean {
    const begun = performance.now();
    // The clock is asked exactly once for each batch, and not at all when nothing waits.
    if (!idle) this.#heard = { time: this.#now(), at: begun };
    const present = this.#heard.time + (begun - this.#heard.at);
    const isDue = idle || begun - this.#lastPurge >= purgeEveryMs;
    if (isDue) this.#nonces.forgetExpired(present);
    for (const { key, timestamp } of this.#nonces.takeFloors())
      this.current.nonces.raiseFloor(key, timestamp);
    if (!isDue) return false;
    this.#lastPurge = begun;
    return this.current.nonces.purge(present - this.#nonceLifetime, idle ? idlePurge : undefined) > 0;
  }
}
