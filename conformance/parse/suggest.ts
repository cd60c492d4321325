/** The known name nearest to a misspelt one, when it is near enough to be meant. A name that is known is not misspelt. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.includes(word)) return undefined;
  const limit = Math.max(1, Math.floor(word.length / 3));
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    if (distance <= limit && distance < (best?.distance ?? Infinity)) best = { name, distance };
  }
  return best?.name;
}

export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const name = nearest(word, known);
  return name === undefined ? undefined : `did you mean "${name}"?`;
}

/** Insertions, deletions, substitutions and swaps of neighbours, each counted once. */
function editDistance(left: string, right: string): number {
  const rows: number[][] = Array.from({ length: left.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let column = 0; column <= right.length; column += 1) (rows[0] ?? [])[column] = column;
  for (let row = 1; row <= left.length; row += 1) {
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + (same ? 0 : 1),
      );
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (swapped) cost = Math.min(cost, at(row - 2, column - 2) + 1);
      (rows[row] ?? [])[column] = cost;
    }
  }
  return at(left.length, right.length);
}
