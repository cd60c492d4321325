import { describe, expect, it } from "vitest";
import { type KillRound, killRound } from "./kill-run.ts";

/** A short version of `npm run soak:kill-run`. */
const seed = 20;
const rounds = 2;

describe("a run that is killed", () => {
  it("leaves no order that cleanup does not find and cancel", async () => {
    const done: KillRound[] = [];
    for (let round = 1; round <= rounds; round += 1) done.push(await killRound(seed, round));
    expect(done.filter(({ openAfter }) => openAfter.length > 0)).toEqual([]);
    expect(done.map(({ cleanupCode }) => cleanupCode)).toEqual(done.map(() => 0));
    expect(done.some(({ ledgerLeft, secretInLedger }) => ledgerLeft || secretInLedger)).toBe(false);
    // A sample in which nothing was ever left open would prove nothing.
    expect(done.some(({ openBefore }) => openBefore > 0)).toBe(true);
  });
});
