/** "Did you mean": the valid name that a mistyped one is closest to. */

/** The closest of `names`, or null when none is close enough to be meant. */
export function nearestName(wrong: string, names: Iterable<string>): string | null {
  const lower = wrong.toLowerCase();
  let best: string | null = null;
  let least = Math.max(1, (lower.length - (lower.length % 3)) / 3) + 1;
  for (const name of names) {
    if (Math.abs(name.length - lower.length) >= least) continue;
    const distance = editDistance(lower, name.toLowerCase());
    if (distance < least) [best, least] = [name, distance];
  }
  return best;
}

/** Insertions, deletions, replacements and swaps of neighbours that lead from one word to the other. */
function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let above = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row++) {
    const line = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped =
        row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const steps = [
        (above[column] ?? 0) + 1,
        (line[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
        ...(swapped ? [(before[column - 2] ?? 0) + 1] : []),
      ];
      line.push(Math.min(...steps));
    }
    [before, above] = [above, line];
  }
  return above[to.length] ?? 0;
}

/** `; did you mean "price"?`, or nothing. */
export function didYouMean(wrong: string, names: Iterable<string>): string | null {
  const near = nearestName(wrong, names);
  return near === null ? null : `did you mean ${JSON.stringify(near)}?`;
}
