/**
 * The middle price of a market in mode `walk` at a step.
 *
 * It is a sum of sixteen random zigzags: zigzag k has a keyed random height at every 2^k-th step and straight
 * lines between, and its size grows with the square root of 2^k. That is how far a random walk gets in 2^k
 * steps, so the sum looks like one; but any step can be computed on its own, which makes a restart or an
 * hour's leap of the market clock as cheap as one step. It starts at the reference price and never leaves
 * `furthestReach` around it.
 */
import { keyedBelow } from "../../domain/keyed-hash.ts";

/** The middle stays within a twentieth (5 %) of the reference price. */
export const furthestReach = 20n;

/** Square roots of 2^k, rounded: integers, because floating-point powers may differ between machines. */
const weights = [1n, 1n, 2n, 3n, 4n, 6n, 8n, 11n, 16n, 23n, 32n, 45n, 64n, 91n, 128n, 181n];
const total = weights.reduce((sum, weight) => sum + weight, 0n);

/** The middle in ticks. Depends on the seed, the product and the step; not on orders. */
export function middleAt(reference: number, seed: number, product: string, step: number): number {
  // Both sums stay within half the reach, so that their difference stays within the reach.
  const reach = BigInt(reference) / (2n * furthestReach);
  return reference + Number(heightAt(reach, seed, product, step) - heightAt(reach, seed, product, 0));
}

function heightAt(reach: bigint, seed: number, product: string, step: number): bigint {
  return weights.reduce((sum, weight, octave) => {
    const amplitude = (reach * weight) / total;
    return amplitude === 0n ? sum : sum + zigzag(amplitude, octave, seed, product, step);
  }, 0n);
}

function zigzag(amplitude: bigint, octave: number, seed: number, product: string, step: number): bigint {
  const length = 2 ** octave;
  const along = step % length;
  const corner = (step - along) / length;
  const heightOf = (at: number) =>
    keyedBelow(2n * amplitude + 1n, seed, `walk/${octave}`, product, at) - amplitude;
  const from = heightOf(corner);
  return from + ((heightOf(corner + 1) - from) * BigInt(along)) / BigInt(length);
}
