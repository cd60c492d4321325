import { describe, expect, it } from "vitest";
import { conclude } from "./conclude.ts";
import type { FreedomEntry } from "./register.ts";
import type { Round, Told } from "./sighting.ts";

const entry = (setting: string | null): FreedomEntry => ({
  id: "F-clock-window",
  gap: "",
  options: [
    { id: "30000", means: "", variation: false },
    { id: "5000", means: "", variation: false },
  ],
  usual: "30000",
  setting,
});
const round: Round = { samples: new Map(), missing: new Map() };

/** The conclusion from rounds with these results. */
function concluded(told: readonly Told[], setting: string | null = null) {
  const left = [...told];
  const reader = { freedom: "F-clock-window", read: () => left.splice(0, 1) };
  return conclude(
    [entry(setting)],
    [reader],
    told.map(() => round),
  )[0];
}
const saw = (option: string): Told => ({ option, evidence: `saw ${option}` });

describe("what rounds of probes tell", () => {
  it.each([
    ["two that agree", [saw("5000"), saw("5000")], { option: "5000", samples: 2, confidence: "high" }],
    ["a single one", [saw("5000")], { option: "5000", samples: 1, confidence: "low" }],
    [
      "one, and one that shows nothing",
      [saw("5000"), { untold: "it was late", evidence: "" }],
      { option: "5000", samples: 1, confidence: "low" },
    ],
    [
      "a contradiction",
      [saw("5000"), saw("30000")],
      {
        option: "unknown",
        reason: "the samples contradict each other: 5000 and 30000",
        evidence: ["saw 5000", "saw 30000"],
        confidence: "none",
      },
    ],
    [
      "nothing",
      [{ untold: "it was refused", evidence: "a 403" }],
      { option: "unknown", reason: "it was refused", evidence: ["a 403"], samples: 0 },
    ],
    [
      "what is no option",
      [saw("60000")],
      { option: "unknown", reason: "60000 is no option of the register" },
    ],
  ] as const)("%s", (_, told, expected) => {
    expect(concluded(told)).toMatchObject(expected);
  });

  it("may be another number where a setting takes numbers", () => {
    expect(concluded([saw("60000")], "auth.clockWindowMs")).toMatchObject({ option: "60000" });
    expect(concluded([saw("soon")], "auth.clockWindowMs")).toMatchObject({ option: "unknown" });
  });

  it("is a reason where no probe looks", () => {
    expect(conclude([{ ...entry(null), id: "F-self-trade" }], [], [round])[0]).toMatchObject({
      option: "unknown",
      reason: expect.stringContaining("trades") as string,
    });
  });
});
