import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sampled } from "../tools/sampled.ts";
import { isProven, pairs, prove, shortEnough } from "./lib/shrink-proof.ts";

/** A sample of `npm run detection:shrink`: a signature, a placement, a trade. */
const sample = sampled(3, ["P-03", "P-16", "P-21"]);

const proving = async (replays: number) => ({
  folder: await mkdtemp(path.join(tmpdir(), "gatewright-shrink-")),
  seed: 1,
  seeds: 2,
  replays,
});

describe("the reduced plan that convicts a bug", () => {
  it.each(pairs.filter(({ property }) => sample.includes(property)))(
    "is short, convicts each time and passes without the bug: $property",
    async (pair) => {
      const proof = await prove(pair, await proving(5));
      expect(proof).toMatchObject({ ...pair, convicted: 5, passesClean: true });
      expect(proof.after).toBeLessThanOrEqual(shortEnough(pair));
      expect(proof.before).toBeGreaterThanOrEqual(proof.after ?? Number.POSITIVE_INFINITY);
      expect(isProven(proof)).toBe(true);
    },
  );

  it("is nothing when the property is not about the bug", async () => {
    const proof = await prove({ property: "P-03", mutant: "M-042" }, await proving(1));
    expect(proof).toMatchObject({ convicted: 0, passesClean: false });
    expect(isProven(proof)).toBe(false);
  });
});
