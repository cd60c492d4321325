import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as Kit from "../../conformance/commands.ts";
import type { Trial } from "./catalogue.ts";
import { runTrial } from "./trial.ts";

const { ran, ends } = vi.hoisted(() => ({
  ran: [] as (string | undefined)[],
  ends: { verdict: "CONFORMANT" },
}));
vi.mock("../../conformance/commands.ts", async (original) => ({
  ...(await original<typeof Kit>()),
  readSuite: () => Promise.resolve({ suite: undefined, problems: [], files: [] }),
  runConformance: ({ properties }: { readonly properties?: string }) => {
    ran.push(properties);
    return Promise.resolve({ report: { clauses: [], cases: [], ...ends } });
  },
}));

beforeEach(() => {
  ran.length = 0;
  ends.verdict = "CONFORMANT";
});

const trial = (kind: Trial["kind"]): Trial => {
  const bug = kind === "named";
  const violates = bug ? ["PLC-10"] : [];
  return { id: "X-01", title: "X", kind, defects: [], violates, mild: [], by: "one", noticeable: bug };
};

describe("a seed of hostile mode", () => {
  it.each([
    ["CONFORMANT", undefined, "unnoticed"],
    ["INCOMPLETE", undefined, "false-alarm"],
    ["INCOMPLETE", ["auth-*"], "unnoticed"],
    ["NON_CONFORMANT", ["auth-*"], "false-alarm"],
  ] as const)("with the verdict %s of the cases %s", async (verdict, only, wanted) => {
    ends.verdict = verdict;
    const settings = { level: "full", seed: 1, properties: "off", stopAtConviction: false } as const;
    const { outcome } = await runTrial(trial("hostile"), {
      ...settings,
      ...(only === undefined ? {} : { only }),
    });
    expect(outcome).toBe(wanted);
  });
});

describe("the properties of a trial", () => {
  it.each([
    ["named", ["off", "only"]],
    ["variation", ["off", "only"]],
    ["combination", ["off"]],
  ] as const)("come after cases without a finding: %s", async (kind, wanted) => {
    await runTrial(trial(kind), {
      level: "core",
      seed: 1,
      properties: "unconvicted",
      stopAtConviction: true,
    });
    expect(ran).toEqual(wanted);
  });
});
