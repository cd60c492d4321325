/** A statement that is prepared when it is first used: of many venues in memory, most rest, and each statement weighs. */
export function lazily<T>(prepare: () => T): () => T {
  let prepared: T | undefined;
  return () => (prepared ??= prepare());
}
