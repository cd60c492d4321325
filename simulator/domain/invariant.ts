/** A bug of ours, never a mistake of a client. The venue stops on it and keeps the evidence. */
export class InvariantViolation extends Error {
  override readonly name = "InvariantViolation";
}

/** A check that stands in a hot path passes a function: building a sentence costs more than most checks. */
export function invariant(condition: boolean, message: string | (() => string)): asserts condition {
  if (!condition) throw new InvariantViolation(typeof message === "string" ? message : message());
}
