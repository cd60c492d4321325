/** What went wrong with a write, as the venue has to know it: a failure of the store, damage, or a bug of ours. */
import type { StoreFailure } from "./store-failure.ts";
import { VenueUnavailable } from "./unavailable.ts";

export const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

export const causeOf = (error: unknown): unknown =>
  error instanceof VenueUnavailable ? (error.cause ?? error) : error;

/** No waiting heals these. */
export const isDamage = ({ kind }: StoreFailure): boolean =>
  ["corrupt", "not-a-database", "newer-version", "gap", "other"].includes(kind);

/** What clients are told: enough to act on, and nothing about this machine. The log has the rest. */
export function reasonOf({ kind }: StoreFailure): string {
  switch (kind) {
    case "full":
      return "The venue cannot write: there is no room left on its disk. Free some space; it goes on by itself.";
    case "readonly":
      return "The venue cannot write to its file. Make it writable; it goes on by itself.";
    case "busy":
      return "Another process has taken the venue's file. Stop it; the venue goes on by itself.";
    default:
      return "The venue's disk refuses to serve. Check it; the venue goes on by itself when it works again.";
  }
}
