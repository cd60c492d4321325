/** A difference below two seconds is none: `Date` has whole seconds. */
const leastMs = 2000;

type Headers = readonly (readonly [string, string])[];

/** Milliseconds by which the clock of a target is ahead of ours at the time `now`, as the header `Date` says. */
export function clockOffset(headers: Headers, now: number): number {
  const date = Date.parse(headers.find(([name]) => name.toLowerCase() === "date")?.[1] ?? "");
  return Number.isNaN(date) || Math.abs(date - now) < leastMs ? 0 : date - now;
}

/** The clock by which requests are signed: ours, until a target with another one refuses a request. */
export class TargetClock {
  #offsetMs = 0;

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  /** Whether a request with this answer is worth a second try, by the clock of the target. */
  corrects({ status, headers }: { readonly status: number; readonly headers: Headers }): boolean {
    const offset = status === 401 ? clockOffset(headers, Date.now()) : this.#offsetMs;
    if (Math.abs(offset - this.#offsetMs) < leastMs) return false;
    this.#offsetMs = offset;
    return true;
  }
}
