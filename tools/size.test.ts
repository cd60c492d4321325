import { describe, expect, it } from "vitest";

interface Size {
  readonly measure: () => { readonly rooms: Readonly<Record<string, number>> };
  readonly readMarks: () => {
    readonly marks: Readonly<Record<string, number>>;
    readonly raised: readonly object[];
  };
  readonly beyondMarks: (
    rooms: Readonly<Record<string, number>>,
    marks: Readonly<Record<string, number>>,
  ) => readonly string[];
}

// as: the script has no types.
const { measure, readMarks, beyondMarks } = (await import(new URL("size.mjs", import.meta.url).href)) as Size;

describe("the lines of each room", () => {
  const { rooms } = measure();
  const { marks, raised } = readMarks();

  it("are within its mark", () => {
    expect(beyondMarks(rooms, marks)).toEqual([]);
  });

  it("are counted in every room that has a mark", () => {
    expect(Object.keys(rooms).toSorted()).toEqual(Object.keys(marks).toSorted());
    expect(rooms["simulator/engine"]).toBeGreaterThan(1000);
  });

  it("may be more than before for a reason only", () => {
    for (const one of raised)
      expect(one).toEqual({
        room: expect.any(String),
        by: expect.any(Number),
        why: expect.stringMatching(/\w+ \w+/),
      });
  });

  it("would be missed beyond it", () => {
    expect(beyondMarks({ a: 3, b: 2, c: 1 }, { a: 2, b: 2 }).map((one) => one.slice(0, 13))).toEqual([
      "a has 3 lines",
      "c has 1 lines",
    ]);
  });
});
