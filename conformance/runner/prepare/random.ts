import { createHash } from "node:crypto";

/** Random choices as a keyed hash: the same seed and labels give the same draw, in any order of drawing. */
export function draw(...labels: readonly (string | number)[]): Buffer {
  return createHash("sha256").update(labels.join("\u0000")).digest();
}

export function drawInteger(
  lowest: number,
  highest: number,
  ...labels: readonly (string | number)[]
): number {
  const span = highest - lowest + 1;
  return lowest + (draw(...labels).readUIntBE(0, 6) % span);
}

/** A UUID of version 1, 4 or 7 from hash bytes. Version 7 has the time; version 1 only has the version digit. */
export function drawUuid(version: number, now: number, ...labels: readonly (string | number)[]): string {
  const bytes = Buffer.from(draw(...labels).subarray(0, 16));
  if (version === 7) bytes.writeUIntBE(now, 0, 6);
  bytes.writeUInt8(((bytes[6] ?? 0) & 0x0f) | (version << 4), 6);
  bytes.writeUInt8(((bytes[8] ?? 0) & 0x3f) | 0x80, 8);
  const hex = bytes.toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

/** Sorts by a hash of seed and name, so the order depends only on the seed and the names. */
export function shuffled<T>(items: readonly T[], nameOf: (item: T) => string, seed: number): T[] {
  const keyed = items.map((item) => [draw(seed, "order", nameOf(item)).toString("hex"), item] as const);
  return keyed.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, item]) => item);
}
