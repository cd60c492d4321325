/** Values as they are stored in columns. */
import { InvariantViolation } from "../domain/invariant.ts";

export const hashBytes = 16;

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
  const isWhole = hex.length === 2 * hashBytes && target.write(hex, "hex") === hashBytes;
  if (!isWhole) throw new InvariantViolation(`not 32 hex digits: ${hex}`);
  return target;
}
