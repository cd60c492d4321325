/** Columns of bytes: what goes in comes out, in few bytes, and what is incomplete or from elsewhere is refused. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteReader, ByteWriter } from "./snapshot-bytes.ts";

const written = (write: (out: ByteWriter) => void): Uint8Array => {
  const out = new ByteWriter();
  write(out);
  return out.finish();
};
const same = <T>(value: T): T => value;
const numbers = fc.array(fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constant(-0), fc.double()));

describe("what is written", () => {
  // The writer starts with this much room, and doubles it.
  const ROOM = 65_536;
  const writers = {
    "a count": (out: ByteWriter): void => out.count(7),
    "a text": (out: ByteWriter): void => out.text("x".repeat(40)),
    codes: (out: ByteWriter): void => out.codes([1, 2, 3], same),
    "numbers that are alike": (out: ByteWriter): void => out.numbers([5, 5, 5], same),
    "short numbers": (out: ByteWriter): void => out.numbers([1, 2, 3], same),
    "long numbers": (out: ByteWriter): void => out.numbers([0.5, 2 ** 40], same),
    amounts: (out: ByteWriter): void => out.amounts([1n, 2n ** 100n], same),
  };

  test.each(Object.entries(writers))("is the same wherever the room ends: %s", (_what, write) => {
    const alone = Buffer.from(written(write));
    for (let left = 0; left <= 80; left += 8) {
      const filler = "x".repeat(ROOM - 4 - left);
      const both = written((out) => {
        out.text(filler);
        write(out);
      });
      expect(Buffer.from(both.subarray(ROOM - left)).equals(alone), `${left} bytes left`).toBe(true);
    }
  });
});

describe("a column", () => {
  test("of numbers comes back exactly", () => {
    const back = (values: readonly number[]): void => {
      const read = new ByteReader(written((out) => out.numbers(values, same))).numbers(values.length);
      expect([...read]).toEqual(values);
    };
    fc.assert(fc.property(numbers, back));
  });

  test("of amounts comes back exactly, at any size", () => {
    const back = (values: readonly bigint[]): void => {
      const read = new ByteReader(written((out) => out.amounts(values, same))).amounts(values.length);
      expect(values.map((_, row) => read.at(row))).toEqual(values);
      expect(values.map((_, row) => BigInt(read.plainAt(row)))).toEqual(values);
    };
    fc.assert(fc.property(fc.array(fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n })), back));
    fc.assert(fc.property(fc.array(fc.bigInt({ min: -(2n ** 54n), max: 2n ** 54n })), back));
    back([2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 32n, -1n]);
  });

  test("of amounts shows those that a machine number holds as such", () => {
    const read = new ByteReader(written((out) => out.amounts([2n ** 53n - 1n, 2n ** 53n], same))).amounts(2);
    expect([read.plainAt(0), read.plainAt(1)]).toEqual([2 ** 53 - 1, 2n ** 53n]);
  });

  test.each([0, 1, 2, 3, 4, 5, 6, 7])("comes back from any place in memory, here %i bytes off", (off) => {
    const values = [1.5, -(2 ** 40), 7];
    const bytes = written((out) => {
      out.codes([1, 2, 3].slice(off % 3), same);
      out.numbers(values, same);
      out.numbers([3, 2, 1], same);
    });
    const moved = new Uint8Array(bytes.length + off).subarray(off);
    moved.set(bytes);
    const from = new ByteReader(moved);
    from.codes(3 - (off % 3), 256);
    expect([[...from.numbers(3)], [...from.numbers(3)]]).toEqual([values, [3, 2, 1]]);
    from.end();
  });

  test("follows a text and ends the bytes", () => {
    const back = (text: string, codes: Uint8Array): void => {
      const from = new ByteReader(
        written((out) => {
          out.text(text);
          out.codes([...codes], same);
        }),
      );
      expect(from.text()).toBe(text);
      expect([...from.codes(codes.length, 256)]).toEqual([...codes]);
      from.end();
    };
    fc.assert(fc.property(fc.string({ unit: "grapheme" }), fc.uint8Array(), back));
  });

  test.each([
    ["equal numbers", [7, 7, 7], 8],
    ["small numbers", [7, -7, 0], 3 * 4],
    ["large numbers", [7, 2 ** 40, 0], 3 * 8],
  ])("of %s takes few bytes", (_what, values, bytes) => {
    expect(written((out) => out.numbers(values, same))).toHaveLength(8 + bytes);
  });

  test.each([
    ["zeros", [0n, 0n], 0],
    ["64 bits", [2n ** 63n - 1n, -(2n ** 63n)], 2 * 8],
    ["more", [2n ** 63n, 0n], 2 * 16],
  ])("of amounts of %s takes few bytes", (_what, values, bytes) => {
    expect(written((out) => out.amounts(values, same))).toHaveLength(8 + bytes);
  });
});

test("numbers are little-endian wherever they are written", () => {
  expect([...written((out) => out.count(0x01_02_03_04))]).toEqual([4, 3, 2, 1]);
  expect([...written((out) => out.numbers([1, 258], same))].slice(8)).toEqual([1, 0, 0, 0, 2, 1, 0, 0]);
});

describe("is refused:", () => {
  const column = written((out) => out.numbers([1, 2, 3], same));

  test.each<readonly [string, () => unknown, RegExp]>([
    ["a column of another length", () => new ByteReader(column).numbers(2), /3 rows where 2 belong/],
    [
      "a column cut short",
      () => new ByteReader(column.subarray(0, -1)).numbers(3),
      /19 bytes where at least 20/,
    ],
    [
      "a width that nobody writes",
      () => new ByteReader(Uint8Array.of(1, 0, 0, 0, 3, 0, 0, 0)).numbers(1),
      /3 bytes/,
    ],
    [
      "a code that stands for nothing",
      () => new ByteReader(written((out) => out.codes([0, 2, 1], same))).codes(3, 2),
      /code 2 of 2/,
    ],
    ["bytes behind the end", () => new ByteReader(column).end(), /20 bytes follow/],
    ["a text that is no UTF-8", () => new ByteReader(Uint8Array.of(1, 0, 0, 0, 0xff)).text(), /not valid/],
  ])("%s", (_what, read, message) => {
    expect(read).toThrow(message);
  });
});
