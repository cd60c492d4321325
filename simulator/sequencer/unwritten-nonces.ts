import type { NonceRecord } from "../domain/account.ts";
import type { Journal } from "./ports.ts";

/**
 * Nonces of reads that are answered while nothing can be written: here until they can be committed, and counted by the
 * mark beside the file.
 */
export class UnwrittenNonces {
  #nonces: NonceRecord[] = [];

  /** Whether the nonce cannot be used again, even after a crash. */
  keep(nonce: NonceRecord, journal: Journal): boolean {
    if (this.#nonces.length >= most) return false;
    this.#nonces.push(nonce);
    try {
      journal.markNonce(nonce);
      return true;
    } catch {
      return false;
    }
  }

  commitTo(journal: Journal): void | Promise<void> {
    journal.begin();
    for (const nonce of this.#nonces) journal.appendNonce(nonce);
    const commit = journal.commit();
    this.#nonces = [];
    return commit;
  }
}

const most = 200_000;
