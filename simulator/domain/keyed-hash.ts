/**
 * Chance as a function: the same (seed, purpose, entity, counter) gives the same 32 bits on any machine, and
 * no draw depends on how many were made before it. So a new product, client or step never changes another
 * one's path.
 *
 * MurmurHash3 (x86, 32 bit) over the seed, the UTF-16 units of both names and the counter, in integer
 * operations only.
 */
import { mix as finish } from "./bijection.ts";

const wordSize = 2 ** 32;

/** A number from 0 to 2^32 - 1. */
export function keyedDraw(seed: number, purpose: string, entity: string, counter: number): number {
  let hash = mixWide(0, seed);
  hash = mixText(hash, purpose);
  hash = mixText(hash, entity);
  return finish(mixWide(hash, counter)) >>> 0;
}

/** A whole number from 0 to `span - 1`, spread evenly for spans far below 2^32. */
export function keyedBelow(
  span: bigint,
  seed: number,
  purpose: string,
  entity: string,
  counter: number,
): bigint {
  return (BigInt(keyedDraw(seed, purpose, entity, counter)) * span) >> 32n;
}

/** Mixes a safe integer as its low and its high half. */
function mixWide(hash: number, value: number): number {
  const low = value % wordSize;
  return mix(mix(hash, low | 0), ((value - low) / wordSize) | 0);
}

/** The length goes in as well, so that ("ab", "c") and ("a", "bc") differ. */
function mixText(hash: number, text: string): number {
  let mixed = mix(hash, text.length);
  for (let at = 0; at < text.length; at++) mixed = mix(mixed, text.charCodeAt(at));
  return mixed;
}

function mix(hash: number, word: number): number {
  const scrambled = Math.imul(rotate(Math.imul(word, 0xcc9e2d51), 15), 0x1b873593);
  return (Math.imul(rotate(hash ^ scrambled, 13), 5) + 0xe6546b64) | 0;
}

const rotate = (word: number, bits: number): number => (word << bits) | (word >>> (32 - bits));
