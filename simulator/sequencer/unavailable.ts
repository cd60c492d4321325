/** Why the venue cannot take a request now, and what the client knows about the one it sent. */
import { InvariantViolation } from "../domain/invariant.ts";

export type Known = "unknown" | "not-done" | "stopped";

const TEXT: Readonly<Record<Known, string>> = {
  unknown:
    "The outcome is unknown: the venue could not confirm the write. Send the request again with the same client_order_id; the answer then tells",
  "not-done": "Nothing was done: the venue could not write. Send the request again later",
  stopped: "The venue has stopped: nothing was done",
};

export class VenueUnavailable extends Error {
  override readonly name = "VenueUnavailable";
  readonly known: Known;

  constructor(known: Known, message: string = TEXT[known]) {
    super(message);
    this.known = known;
  }

  static because(cause: Error): VenueUnavailable {
    if (cause instanceof InvariantViolation) {
      return new VenueUnavailable("stopped", `The venue stopped itself because an invariant was violated: ${cause.message}`);
    }
    const outcome = (cause as { readonly outcome?: unknown }).outcome;
    return new VenueUnavailable(outcome === "none" ? "not-done" : "unknown");
  }
}
