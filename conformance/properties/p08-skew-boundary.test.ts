import { describe, expect, it } from "vitest";
import { skewBoundary } from "./p08-skew-boundary.ts";
import type { Plan } from "./property.ts";

/** A target that takes 5 ms to look at a timestamp, and the requests it was sent. */
function target(earliest: number, latest: number, refusal: number | undefined = 401) {
  const offsets: number[] = [];
  const ask = async ({ steps: [step] }: Plan): Promise<number | undefined> => {
    const { call } = step as { call: { sign: { atClock: { offset: string } } } };
    const offset = Number.parseInt(call.sign.atClock.offset, 10);
    offsets.push(offset);
    return offset - 5 >= earliest && offset - 5 <= latest ? 200 : refusal;
  };
  return { ask, offsets };
}

describe("the boundary of the accepted clock skew", () => {
  it.each([
    [-30_000, 30_000, "-30 s to +30 s"],
    [-300_000, 1000, "-300 s to +1 s"],
    [-60_000, 3_600_000, "-60 s to +3600 s"],
  ])("from %i to %i ms is %s, in few requests", async (earliest, latest, text) => {
    const { ask, offsets } = target(earliest, latest);
    expect(await skewBoundary(ask)).toEqual({ "clock skew": `accepts ${text}, to the second` });
    expect(offsets.length).toBeLessThan(40);
  });

  it("is left out on a side where nothing is refused", async () => {
    const { ask, offsets } = target(-30_000, Number.POSITIVE_INFINITY);
    expect(await skewBoundary(ask)).toEqual({ "clock skew": "accepts -30 s, to the second" });
    expect(offsets.filter((offset) => offset > 0)).toHaveLength(2);
  });

  it("is not looked for where nothing is accepted", async () => {
    const { ask, offsets } = target(0, 0);
    expect(await skewBoundary(ask)).toEqual({});
    expect(offsets).toEqual([-64, 64]);
  });

  it.each([undefined, 429, 500])("is not guessed from an answer like %s", async (status) => {
    const answers = [200, 401];
    expect(await skewBoundary(async () => (answers.length > 0 ? answers.shift() : status))).toEqual({});
  });
});
