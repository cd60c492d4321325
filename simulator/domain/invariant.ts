/** A bug of ours, never a mistake of a client. The venue stops on it and keeps the evidence. */
export class InvariantViolation extends Error {
  override readonly name = "InvariantViolation";
}

/** Where a check is made very often, `throw` in an `if` instead: building the sentence costs more than the check. */
export function invariant(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message);
}
