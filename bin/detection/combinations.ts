/** Several legal variations at once: a kit that accepts each of them may still convict two together. The seed decides which. */
import type { Trial } from "./catalogue.ts";

const smallest = 2;
const largest = 4;

export function combinationsOf(variations: readonly Trial[], count: number, seed: number): Trial[] {
  const random = generator(seed);
  const below = (limit: number): number => Math.floor(random() * limit);
  return Array.from({ length: count }, (_, index) => {
    const left = [...variations];
    const size = smallest + below(largest - smallest + 1);
    const chosen = Array.from({ length: Math.min(size, left.length) }, () =>
      left.splice(below(left.length), 1),
    ).flat();
    const defects = chosen.flatMap((one) => one.defects).sort();
    return {
      id: `C-${String(index + 1).padStart(3, "0")}:${defects.join("+")}`,
      title: chosen
        .map(({ title }) => title)
        .sort()
        .join("; "),
      kind: "combination",
      defects,
      violates: [],
      mild: [],
      by: "one",
      noticeable: false,
    };
  });
}

/** Hostile mode with a number of seeds, one after the other. Every choice of a seed is legal. */
export const hostileTrials = (count: number, first: number): Trial[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `H-${first + index}`,
    title: `Hostile mode with seed ${first + index}`,
    kind: "hostile",
    defects: [],
    hostile: first + index,
    violates: [],
    mild: [],
    by: "one",
    noticeable: false,
  }));

/** mulberry32: the same choices everywhere. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
