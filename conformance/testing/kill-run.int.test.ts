import { describe, expect, it } from "vitest";
import { killRound } from "./kill-run.ts";

/** One round of `npm run soak:kill-run`. */
const seed = 11;

describe("a run that is killed", () => {
  it("leaves no order that cleanup does not find and cancel", async () => {
    const round = await killRound(seed, 1);
    expect(round).toMatchObject({ openAfter: [], cleanupCode: 0, ledgerLeft: false, secretInLedger: false });
    // A kill that leaves nothing open would prove nothing.
    expect(round.openBefore).toBeGreaterThan(0);
  });
});
