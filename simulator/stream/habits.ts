/**
 * Where a venue can be made to misbehave on its stream on purpose (`defects/`). An honest one has no habits, and nothing
 * here costs it anything.
 */
import type { Result } from "../domain/result.ts";
import type { Complaint, Wish } from "./read-message.ts";
import type { Access, Subscription } from "./subscriptions.ts";

/** What a wish names, one by one, or what is wrong with it. */
export type Grant = (wish: Wish, access: Access) => Result<readonly Subscription[], Complaint>;

export interface StreamHabits {
  readonly grant: (inner: Grant) => Grant;
  /** What becomes of a message: `text` is what stands behind its number. */
  readonly outgoing: (text: string) => readonly string[];
}
