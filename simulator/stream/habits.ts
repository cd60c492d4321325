/**
 * Where a venue can be made to misbehave on its stream on purpose (`defects/`). An honest one has no habits, and nothing
 * here costs it anything.
 */
import type { Result } from "../domain/result.ts";
import { type Body, bodyOf } from "./frame.ts";
import { SKIP_NUMBER } from "./outbox.ts";
import type { Complaint, Wish } from "./read-message.ts";
import type { Access, Subscription } from "./subscriptions.ts";

/** What a wish names, one by one, or what is wrong with it. */
export type Grant = (wish: Wish, access: Access) => Result<readonly Subscription[], Complaint>;

/** In place of a message: it is counted and never arrives. */
export const LOST = "";

export const changedBody = (text: string): Body => (text === LOST ? SKIP_NUMBER : bodyOf(text));

export interface StreamHabits {
  readonly grant: (inner: Grant) => Grant;
  /** What becomes of a message: `text` is what stands behind its number, `LOST` leaves a gap. */
  readonly outgoing: (text: string) => readonly string[];
}
