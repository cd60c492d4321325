/**
 * What can go wrong between the venue and its disk, as the port `Journal` tells it.
 *
 * Two questions decide what the sequencer may tell its clients, and every failure answers both: what happened
 * (`kind`), and whether the batch it interrupted may be on disk (`outcome`).
 */
export type StoreFailureKind =
  | "busy"
  | "full"
  | "io"
  | "corrupt"
  | "readonly"
  | "not-a-database"
  | "newer-version"
  /** Acknowledged entries are missing, or another history stands in their place. */
  | "gap"
  | "other";

export type StoreOutcome = "none" | "unknown";

export class StoreFailure extends Error {
  override readonly name = "StoreFailure";
  readonly kind: StoreFailureKind;
  readonly outcome: StoreOutcome;

  constructor(
    kind: StoreFailureKind,
    message: string,
    options: { outcome?: StoreOutcome; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.outcome = options.outcome ?? "none";
  }
}
