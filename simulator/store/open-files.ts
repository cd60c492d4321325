/**
 * Notices that the files of a running venue were deleted or replaced. The system keeps serving what it has open, so
 * without a look at the names every write would succeed and be gone with the process.
 */
import { statSync } from "node:fs";
import { StoreFailure } from "../sequencer/store-failure.ts";
import { walOf } from "./database-file.ts";

export class OpenFiles {
  readonly #file: string;
  readonly #seen = new Map<string, string>();

  constructor(file: string) {
    this.#file = file;
    // The log holds entries, too.
    for (const each of [file, walOf(file)]) {
      const identity = identityOf(each);
      if (identity !== null) this.#seen.set(each, identity);
    }
  }

  /** Throws when a name no longer leads to the file that is open. */
  require(): void {
    for (const [each, identity] of this.#seen) {
      const now = identityOf(each);
      if (now === identity) continue;
      const what = now === null ? "was deleted" : "was replaced by another file";
      throw new StoreFailure("gap", `${each} ${what} while the venue of ${this.#file} was running.`);
    }
  }
}

function identityOf(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev} ${found.ino}`;
}
