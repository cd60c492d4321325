/** A journal whose commits fail when the test asks for it: like a disk, before or after the bytes have arrived. */
import type { Journal } from "../sequencer/ports.ts";
import { StoreFailure } from "../sequencer/store-failure.ts";

export interface Faults {
  /** The result of the next commits: success, a failure that stores nothing, or a failure after it was stored. */
  commit: "works" | "loses" | "stores and fails";
  /** How many commits fail; then all is well again. If it is one, a commit without an entry, as in idle moments, works. */
  times: number;
  /** Writing a snapshot fails. */
  snapshotFails: boolean;
  /** Opening the file again fails. */
  isGone: boolean;
}

export const failureAtCommit = (): StoreFailure =>
  new StoreFailure("io", "The disk refused to flush.", { outcome: "unknown" });

/** For the internal option `throughJournal`. */
export function through(faults: Faults): (journal: Journal) => Journal {
  return (journal) => {
    if (faults.isGone) {
      journal.close();
      throw new StoreFailure("io", "The file cannot be opened.");
    }
    let isEmpty = true;
    const append: Journal["append"] = (...entry) => {
      isEmpty = false;
      journal.append(...entry);
    };
    const commit = (): void | Promise<void> => {
      const spared = faults.times <= 0 || (faults.times === 1 && isEmpty);
      isEmpty = true;
      if (faults.commit === "works" || spared) return journal.commit();
      faults.times -= 1;
      if (faults.commit === "loses") journal.rollback();
      else void journal.commit();
      throw failureAtCommit();
    };
    return new Proxy(journal, {
      get: (target, name) => {
        if (name === "commit") return commit;
        if (name === "append") return append;
        if (name === "saveSnapshot" && faults.snapshotFails) {
          return () => {
            throw new StoreFailure("full", "There is no room left for a snapshot.");
          };
        }
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  };
}
