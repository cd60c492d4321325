import distance from "damerau-levenshtein";

/** The known name nearest to a misspelt one, if it is near enough. A known name is never misspelt. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word)) return undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: { name: string; steps: number } | undefined;
  for (const name of known) {
    if (Math.abs(name.length - word.length) > limit) continue;
    const { steps } = distance(word.toLowerCase(), name.toLowerCase());
    if (steps <= limit && steps < (best?.steps ?? Infinity)) best = { name, steps };
  }
  return best?.name;
}

export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const name = nearest(word, known);
  return name === undefined ? undefined : `did you mean "${name}"?`;
}
