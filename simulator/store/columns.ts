/** How values stand in columns. */
import { hexDigit } from "../domain/hex.ts";
import { InvariantViolation } from "../domain/invariant.ts";

export const HASH_BYTES = 16;

/**
 * An amount for a column of type ANY. Always `bigint`: the driver binds a JavaScript number as REAL, and a
 * column without affinity would keep it so. Digits as text beyond 64 bits.
 */
export const toStored = (amount: bigint): bigint | string =>
  BigInt.asIntN(64, amount) === amount ? amount : amount.toString();

/**
 * 32 hex digits written over `target`, which the driver copies when it binds: one buffer serves every row.
 */
export function putHex(target: Buffer, hex: string): Buffer {
  let sound = hex.length === 2 * HASH_BYTES;
  for (let at = 0; sound && at < HASH_BYTES; at++) {
    const byte = (hexDigit(hex.charCodeAt(2 * at)) << 4) | hexDigit(hex.charCodeAt(2 * at + 1));
    sound = byte >= 0;
    target[at] = byte;
  }
  if (!sound) throw new InvariantViolation(`not 32 hex digits: ${hex}`);
  return target;
}
