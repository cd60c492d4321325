import { createHash } from "node:crypto";

/** A whole number below `below`, the same for the same seed and round on every machine. */
export function drawn(seed: number, round: number, below: number): number {
  return createHash("sha256").update(`${seed}/${round}`).digest().readUInt32BE(0) % below;
}
