import type { Difference } from "../model/finding.ts";
import { masked } from "../model/masked.ts";

/**
 * A failure in one line that is the same in the next run: `masked`, and places in lists are `*`. A failure that differs in
 * any other way has another fingerprint, on purpose.
 */
export function fingerprintOf({ pointer, expected, actual }: Difference, ids: ReadonlySet<string>): string {
  const place = pointer === "" ? "" : `${maskPointer(pointer)}: `;
  return `${place}expected ${masked(expected, ids)}, got ${masked(actual, ids)}`.slice(0, 400);
}

/** `/data/3/id` and `/data/4/id` are one place. */
export function maskPointer(pointer: string): string {
  return pointer.replace(/\/\d+(?=\/|$)/g, "/*");
}

/** `*` in the entry matches any text, so that an entry can leave out a price that changes with the market. */
export function fingerprintMatches(pattern: string, fingerprint: string): boolean {
  const wanted = pattern.replace(/\s+/g, " ").trim();
  if (wanted === fingerprint) return true;
  const parts = wanted.split("*");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (parts.length === 1 || !fingerprint.startsWith(first)) return false;
  let from = first.length;
  for (const part of parts.slice(1, -1)) {
    const at = fingerprint.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return fingerprint.length - last.length >= from && fingerprint.endsWith(last);
}
