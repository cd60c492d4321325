/**
 * Failures between the venue and its disk, as the port `Journal` reports them.
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
  /** Acknowledged entries are missing, or replaced by another history. */
  | "gap"
  /** Another owner has taken the world over. */
  | "fenced"
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

/** No waiting heals these. */
export const isDamage = ({ kind }: StoreFailure): boolean =>
  ["corrupt", "not-a-database", "newer-version", "gap", "fenced", "other"].includes(kind);

/** The message to clients: enough to act on, and nothing about this machine. The log has the rest. */
export function reasonOf({ kind }: StoreFailure): string {
  switch (kind) {
    case "full":
      return "The venue cannot write: there is no room left on its disk. Free some space; the venue then continues by itself.";
    case "readonly":
      return "The venue cannot write to its file. Make it writable; the venue then continues by itself.";
    case "busy":
      return "Another process has taken the venue's file. Stop it; the venue then continues by itself.";
    default:
      return "The venue's disk does not work. Check it; the venue continues by itself when it works again.";
  }
}
