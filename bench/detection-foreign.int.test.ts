import { describe, expect, it } from "vitest";
import { legal, tryBug } from "./lib/foreign-trial.ts";

const options = { seed: 1, level: "core", properties: "off" } as const;

describe("a gateway that is not our simulator", () => {
  it("keeps the specification, as the kit sees it", { timeout: 120_000 }, async () => {
    const { violated, warned, failedRows, passedRows } = await tryBug(legal, options);
    expect({ violated, warned, failedRows }).toEqual({ violated: [], warned: [], failedRows: [] });
    expect(passedRows).toBeGreaterThan(200);
  });
});
