/**
 * Hostile, and conformant: a seed chooses an option for every freedom, and no clause is broken by any of them. As in a
 * simulation test, each freedom is switched for a part of the seeds only, so that two seeds differ in more than noise.
 */
import { keyedBelow, keyedDraw } from "../domain/keyed-hash.ts";
import { canBeTaken } from "./choose-freedoms.ts";
import { type Choices, type Freedom, knownFreedoms, whenOf } from "./freedoms.ts";

const activePercent = 33;

/** The same seed chooses the same option of a freedom, even if the register has other freedoms. */
export function hostileFreedoms(seed: number): Choices {
  const chosen = knownFreedoms().flatMap((freedom) => {
    const options = hostileOptions(freedom);
    if (options.length === 0 || keyedDraw(seed, "hostile", freedom.id, 0) % 100 >= activePercent) return [];
    const index = Number(keyedBelow(BigInt(options.length), seed, "hostile", freedom.id, 1));
    return [[freedom.id, options[index] ?? freedom.default]];
  });
  return Object.fromEntries(chosen) as Choices;
}

/** The options of a freedom that a seed may choose. */
export function hostileOptions(freedom: Freedom): readonly string[] {
  if (whenOf(freedom) === "never") return [];
  const others = freedom.options.filter(
    (option) => option.id !== freedom.default && canBeTaken(freedom, option),
  );
  return freedom.hostile ?? others.map((option) => option.id);
}
