/**
 * Chance without a stream: every draw is a hash of (seed, purpose, entity, counter), so that adding an order, a product
 * or a reader never shifts anybody else's draws. 32-bit integer mixing only; not for secrets.
 */

/** Bijective mixing of 32 bits (the finaliser of MurmurHash3). */
export function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** The inverse of `mix`. */
export function unmix(value: number): number {
  let h = value ^ (value >>> 16);
  h = Math.imul(h, 0x7ed1b41d);
  h = h ^ (h >>> 13) ^ (h >>> 26);
  h = Math.imul(h, 0xa5cb9243);
  return h ^ (h >>> 16);
}

export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) h = Math.imul(h ^ text.charCodeAt(at), 0x01000193);
  return mix(h);
}

/** 32 unsigned bits for (seed, purpose, a, b). */
export function draw(seed: number, purpose: string, a: number, b = 0): number {
  let h = mix(seed ^ hashText(purpose));
  h = mix(h ^ (a | 0) ^ Math.imul(Math.floor(a / 0x100000000), 0x9e3779b1));
  return mix(h ^ mix(b)) >>> 0;
}
