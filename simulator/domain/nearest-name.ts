/** "Did you mean": the valid name that a mistyped one is closest to. */
import distance from "damerau-levenshtein";

/** The closest of `names`, or null when none is close enough to be meant. */
export function nearestName(wrong: string, names: Iterable<string>): string | null {
  const lower = wrong.toLowerCase();
  let best: string | null = null;
  let least = Math.max(1, (lower.length - (lower.length % 3)) / 3) + 1;
  for (const name of names) {
    if (Math.abs(name.length - lower.length) >= least) continue;
    const { steps } = distance(lower, name.toLowerCase());
    if (steps < least) [best, least] = [name, steps];
  }
  return best;
}

/** `; did you mean "price"?`, or nothing. */
export function didYouMean(wrong: string, names: Iterable<string>): string | null {
  const near = nearestName(wrong, names);
  return near === null ? null : `did you mean ${JSON.stringify(near)}?`;
}
