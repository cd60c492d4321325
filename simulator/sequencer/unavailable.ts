/** Why the venue cannot take a request now, and what the client knows about the one it sent. */
import { InvariantViolation } from "../domain/invariant.ts";
import { StoreFailure } from "./store-failure.ts";

/** The outcome of a request, as its client is told. */
type ToldOutcome = "unknown" | "not-done" | "stopped";

/** running: all works. read-only: the file could not be written. stopped: an invariant was violated. closed: by request. */
export type VenueMode = "running" | "read-only" | "stopped" | "closed";

const text: Readonly<Record<ToldOutcome, string>> = {
  unknown:
    "The outcome is unknown: the venue could not confirm the write. Send the request again with the same client_order_id; the answer shows whether it was executed",
  "not-done": "Nothing was done: the venue could not write. Send the request again later",
  stopped: "The venue has stopped: nothing was done",
};

const refuses: Readonly<Record<VenueMode, ToldOutcome | null>> = {
  running: null,
  "read-only": "not-done",
  stopped: "stopped",
  closed: "stopped",
};

export class VenueUnavailable extends Error {
  override readonly name = "VenueUnavailable";
  readonly outcome: ToldOutcome;

  constructor(outcome: ToldOutcome, message: string = text[outcome], cause?: Error) {
    super(message, cause === undefined ? undefined : { cause });
    this.outcome = outcome;
  }

  /** The answer of a venue in this mode to a command; null while it runs. */
  static in(mode: VenueMode, notice: string): VenueUnavailable | null {
    const outcome = refuses[mode];
    if (outcome === null) return null;
    return mode === "closed"
      ? new VenueUnavailable(outcome)
      : new VenueUnavailable(outcome, `Nothing was done. ${notice}`.trimEnd());
  }

  /** The answer to requests of a transaction that `cause` has ended. */
  static because(cause: Error): VenueUnavailable {
    if (cause instanceof InvariantViolation) {
      const message = `The venue stopped itself because an invariant was violated: ${cause.message}. Nothing was done`;
      return new VenueUnavailable("stopped", message, cause);
    }
    if (!(cause instanceof StoreFailure)) return new VenueUnavailable("stopped", text.stopped, cause);
    const outcome = cause.outcome === "none" ? "not-done" : "unknown";
    return new VenueUnavailable(outcome, text[outcome], cause);
  }
}

/** The answer of a world that has as many entries as its quota allows. */
export const worldIsFull = (): VenueUnavailable =>
  new VenueUnavailable(
    "not-done",
    "Nothing was done: this world has as many entries as its quota allows. Reads go on. Delete the world, and make it anew",
  );

/** The cause behind the answer to waiting requests. */
export function causeOf(error: unknown): Error {
  const cause = error instanceof VenueUnavailable ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause : new Error(String(cause));
}
