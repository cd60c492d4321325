/**
 * Limits how many wrong signatures are explained. The search for the mistake costs as much as ten correct signatures, or
 * more. A client with a bug needs it a few times; a flood of requests must not get it every time.
 */
export const explainedPerSecond = 20;
const atOnce = 100;
/** The search hashes the body again and again, so a long one counts for several short ones. */
const bytesPerUnit = 4096;

export class ExplanationBudget {
  #left = atOnce;
  #at = 0;

  /** `now` in milliseconds. A clock that is set back brings nothing. */
  allows(bodyBytes: number, now: number): boolean {
    const earned = (Math.max(0, now - this.#at) / 1000) * explainedPerSecond;
    this.#left = Math.min(atOnce, this.#left + earned);
    this.#at = now;
    const price = 1 + bodyBytes / bytesPerUnit;
    if (this.#left < price) return false;
    this.#left -= price;
    return true;
  }
}
