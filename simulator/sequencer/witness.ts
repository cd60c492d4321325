/**
 * Somebody who sees the state while a transaction changes it: a view of an event needs the state as that event left it,
 * and the next event may change it again.
 *
 * **Invariants.** What a witness gathers is true only once `committed` is called; `begins` means that whatever was
 * gathered since the last commit never happened, or that nobody knows whether it did. A witness changes nothing and
 * must not fail: an error in it is a bug of ours and stops the venue.
 *
 * **Ordering.** For each entry: `saw` after each of its events has been applied, then `recorded`. For each transaction:
 * `committed` after the commit, before anybody is answered.
 */
import type { Event } from "../domain/event.ts";
import type { VenueState } from "../engine/state.ts";

export interface Witness {
  /** A state begins: the venue's first, or one that was read from the file again. Not inside a transaction. */
  begins(state: VenueState): void;
  saw(state: VenueState, event: Event): void;
  recorded(state: VenueState): void;
  committed(state: VenueState): void;
}
