import { beforeEach, describe, expect, it, vi } from "vitest";
import type * as Kit from "../../conformance/commands.ts";
import type { Trial } from "./catalogue.ts";
import { runTrial } from "./trial.ts";

const { ran } = vi.hoisted(() => ({ ran: [] as (string | undefined)[] }));
vi.mock("../../conformance/commands.ts", async (original) => ({
  ...(await original<typeof Kit>()),
  readSuite: () => Promise.resolve({ suite: undefined, problems: [], files: [] }),
  runConformance: ({ properties }: { readonly properties?: string }) => {
    ran.push(properties);
    return Promise.resolve({ report: { clauses: [], cases: [], verdict: "CONFORMANT" } });
  },
}));

beforeEach(() => {
  ran.length = 0;
});

const trial = (kind: Trial["kind"]): Trial => {
  const bug = kind === "named";
  const violates = bug ? ["PLC-10"] : [];
  return { id: "X-01", title: "X", kind, defects: [], violates, mild: [], by: "one", noticeable: bug };
};

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
