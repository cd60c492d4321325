/**
 * Delta debugging (Zeller and Hildebrandt, "Simplifying and isolating failure-inducing input", 2002): from a list that breaks
 * something, a part of it that still does, and none of whose items can be left out.
 */

/** `breaks` is asked about every part once. The best part so far is told as soon as it is found. */
export async function reduce<Item>(
  items: readonly Item[],
  breaks: (part: readonly Item[]) => Promise<boolean>,
  onSmaller: (part: readonly Item[]) => void = () => undefined,
): Promise<readonly Item[]> {
  let best = items;
  let pieces = 2;
  while (best.length > 1) {
    const smaller = await smallerPart(best, Math.min(pieces, best.length), breaks);
    if (smaller !== undefined) {
      best = smaller.part;
      pieces = smaller.isPiece ? 2 : Math.max(pieces - 1, 2);
      onSmaller(best);
    } else if (pieces >= best.length) return best;
    else pieces *= 2;
  }
  return best;
}

interface Smaller<Item> {
  readonly part: readonly Item[];
  /** One piece alone, and not all but one. */
  readonly isPiece: boolean;
}

async function smallerPart<Item>(
  items: readonly Item[],
  count: number,
  breaks: (part: readonly Item[]) => Promise<boolean>,
): Promise<Smaller<Item> | undefined> {
  const pieces = piecesOf(items, count);
  for (const piece of pieces) if (await breaks(piece)) return { part: piece, isPiece: true };
  // Of two pieces, all but one is the other one.
  if (count === 2) return undefined;
  for (const piece of pieces) {
    const rest = items.filter((item) => !piece.includes(item));
    if (await breaks(rest)) return { part: rest, isPiece: false };
  }
  return undefined;
}

/** Of nearly one length each; `count` is at most the number of items. */
const piecesOf = <Item>(items: readonly Item[], count: number): (readonly Item[])[] =>
  Array.from({ length: count }, (_, index) =>
    items.slice(Math.floor((index * items.length) / count), Math.floor(((index + 1) * items.length) / count)),
  );
