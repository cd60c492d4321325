/** Bijective 32-bit mixing, by which public ids are made and turned back. */

/** The finaliser of MurmurHash3. */
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
