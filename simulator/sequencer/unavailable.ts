/** Why the venue cannot take a request now, and what the client knows about the one it sent. */
import { InvariantViolation } from "../domain/invariant.ts";

export type Known = "unknown" | "not-done" | "stopped";

/** running: all works. read-only: the file could not be written. stopped: an invariant was violated. closed: by request. */
export type VenueMode = "running" | "read-only" | "stopped" | "closed";

const text: Readonly<Record<Known, string>> = {
  unknown:
    "The outcome is unknown: the venue could not confirm the write. Send the request again with the same client_order_id; the answer then tells",
  "not-done": "Nothing was done: the venue could not write. Send the request again later",
  stopped: "The venue has stopped: nothing was done",
};

const refuses: Readonly<Record<VenueMode, Known | null>> = {
  running: null,
  "read-only": "not-done",
  stopped: "stopped",
  closed: "stopped",
};

export class VenueUnavailable extends Error {
  override readonly name = "VenueUnavailable";
  readonly known: Known;

  constructor(known: Known, message: string = text[known], cause?: Error) {
    super(message, cause === undefined ? undefined : { cause });
    this.known = known;
  }

  /** What a venue in this mode says to whoever asks for something to be done; null while it runs. */
  static in(mode: VenueMode, notice: string): VenueUnavailable | null {
    const known = refuses[mode];
    if (known === null) return null;
    return mode === "closed"
      ? new VenueUnavailable(known)
      : new VenueUnavailable(known, `Nothing was done. ${notice}`.trimEnd());
  }

  static because(cause: Error): VenueUnavailable {
    if (cause instanceof InvariantViolation) {
      const message = `The venue stopped itself because an invariant was violated: ${cause.message}. Nothing was done`;
      return new VenueUnavailable("stopped", message, cause);
    }
    const outcome = "outcome" in cause ? cause.outcome : null;
    if (outcome === "none") return new VenueUnavailable("not-done", text["not-done"], cause);
    if (outcome === "unknown") return new VenueUnavailable("unknown", text.unknown, cause);
    return new VenueUnavailable("stopped", text.stopped, cause);
  }
}

/** What went wrong, behind what those who waited were told. */
export function causeOf(error: unknown): Error {
  const cause = error instanceof VenueUnavailable ? (error.cause ?? error) : error;
  return cause instanceof Error ? cause : new Error(String(cause));
}
