import { chmodSync, closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type Mark, MarkFile, noHash, nothingMarked, readMark } from "./mark.ts";
import { useScratch } from "./testing/scratch.ts";

const scratch = useScratch();
const venue = "0f".repeat(16);
const hashOf = (seq: number): string => seq.toString(16).padStart(32, "0");
const markAt = (seq: number): Mark => ({
  venueId: venue,
  seq,
  hash: hashOf(seq),
  nonce: 2 * seq,
  signed: 1_700_000_000_000 + seq,
});

function markedUpTo(seq: number): string {
  const file = path.join(scratch(), "v.db.mark");
  const mark = new MarkFile(file, venue);
  for (let each = 1; each <= seq; each++) mark.write(markAt(each));
  mark.close();
  return file;
}

describe("the mark", () => {
  test("reads as the last one written, whichever slot holds it", () => {
    for (const seq of [1, 2, 3])
      expect(readMark(markedUpTo(seq))).toEqual({ kind: "valid", mark: markAt(seq) });
  });

  test.runIf(process.platform !== "win32")("is private, also where it was not", () => {
    const file = markedUpTo(1);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    chmodSync(file, 0o644);
    new MarkFile(file, venue).close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test("goes on in the older slot after it was opened again", () => {
    for (const seq of [1, 2, 3]) {
      const file = markedUpTo(seq);
      const mark = new MarkFile(file, venue);
      mark.write(markAt(50));
      mark.close();
      expect(readMark(file)).toEqual({ kind: "valid", mark: markAt(50) });
      tear(file, 50);
      expect(readMark(file)).toEqual({ kind: "valid", mark: markAt(seq) });
    }
  });

  test("counts beyond 32 bits", () => {
    const file = markedUpTo(1);
    const mark = new MarkFile(file, venue);
    const far = { seq: 2 ** 40 + 3, hash: noHash, nonce: 2 ** 41 + 5, signed: 2 ** 42 + 7 };
    mark.write(far);
    mark.close();
    expect(readMark(file)).toEqual({ kind: "valid", mark: { venueId: venue, ...far } });
  });

  test("falls back to the other slot for a flip of any byte, and never reads as a third mark", () => {
    const file = markedUpTo(4);
    const whole = readFileSync(file);
    const start = slotOf(whole, 4);
    const read = Array.from({ length: 64 }, (_, offset) => {
      const bytes = Buffer.from(whole);
      bytes[start + offset] = (bytes[start + offset] ?? 0) ^ 1;
      writeFileSync(file, bytes);
      return readMark(file);
    });
    expect(read).toEqual(Array.from({ length: 64 }, () => ({ kind: "valid", mark: markAt(3) })));
  });

  test("is unreadable when it is empty, cut or foreign, and missing when it is not there", () => {
    const file = path.join(scratch(), "v.db.mark");
    expect(readMark(file)).toEqual({ kind: "missing" });
    for (const content of ["", "x", "x".repeat(10_000)]) {
      writeFileSync(file, content);
      expect(readMark(file)).toEqual({ kind: "unreadable" });
    }
  });

  test("of another venue is not mixed with a new one", () => {
    const file = markedUpTo(2);
    const other = "ab".repeat(16);
    const mark = new MarkFile(file, other);
    mark.write(nothingMarked);
    mark.close();
    expect(readMark(file)).toEqual({ kind: "valid", mark: { venueId: other, ...nothingMarked } });
  });

  test("of one entry counts its nonces, and a new one starts from zero", () => {
    const file = markedUpTo(2);
    const mark = new MarkFile(file, venue);
    mark.write({ ...markAt(2), nonce: 9 });
    mark.close();
    expect(readMark(file)).toEqual({ kind: "valid", mark: { ...markAt(2), nonce: 9 } });
    const anew = new MarkFile(file, venue, true);
    anew.write(markAt(2));
    anew.close();
    expect(readMark(file)).toEqual({ kind: "valid", mark: markAt(2) });
  });

  test("that is closed is not written to: its number may be another file's", () => {
    const mark = new MarkFile(path.join(scratch(), "v.db.mark"), venue);
    mark.close();
    expect(() => mark.write(markAt(1))).toThrow("closed");
  });
});

const slotOf = (bytes: Buffer, seq: number): number => (bytes.readUIntBE(10, 6) === seq ? 0 : 4096);

/** Half of the slot of entry `seq` is written over, as a power cut may leave it. */
function tear(file: string, seq: number): void {
  const start = slotOf(readFileSync(file), seq);
  const descriptor = openSync(file, "r+");
  writeSync(descriptor, Buffer.alloc(20, 0x77), 0, 20, start + 30);
  closeSync(descriptor);
}
