import { describe, expect, it } from "vitest";
import { conform } from "../conformance/commands.ts";
import { bugs, startGateway } from "../conformance/testing/foreign-gateway/bugs.ts";
import { profile } from "../conformance/testing/foreign-gateway/profile.ts";
import { sampled } from "../tools/sampled.ts";
import { judge, legal, tryBug } from "./lib/foreign-trial.ts";

const options = { seed: 1, level: "core", properties: "off" } as const;

/** A sample of the bugs of `npm run detection:foreign`: a method, a digest, a claim, an order of another client, a repeat. */
const sample = sampled(5, ["F-12", "F-14", "F-17", "F-18", "F-34"]);

describe.concurrent("a gateway that is not our simulator", () => {
  it("keeps the specification, as the kit sees it", async () => {
    const { violated, warned, failedRows, passedRows } = await tryBug(legal, options);
    expect({ violated, warned, failedRows }).toEqual({ violated: [], warned: [], failedRows: [] });
    expect(passedRows).toBeGreaterThan(200);
  });

  it("is judged by its profile: stops follow the trades", async () => {
    await using gateway = await startGateway("F-55");
    const run = { seed: 1, level: "full", only: ["matching-080*"], properties: "off" } as const;
    const { clauses } = await conform({ ...profile(gateway), ...run, expectations: false });
    expect(clauses.find(({ id }) => id === "PLC-39")?.outcome).toBe("violated");
  });

  it.each(
    sampled(2, [
      ["F-78", "CLM-03"],
      ["F-72", "OWN-06"],
    ] as const),
  )("is convicted by P-48 alone: %s", async (id, clause) => {
    await using gateway = await startGateway(id);
    const run = { seed: 1, level: "core+events", only: ["P-48"], properties: "only" } as const;
    const { clauses } = await conform({ ...profile(gateway), ...run, expectations: false });
    expect(clauses.filter(({ outcome }) => outcome === "violated").map((one) => one.id)).toContain(clause);
  });

  it.each(sample)("is convicted of a clause that its bug breaks: %s", async (id) => {
    const trial = await tryBug(id, { ...options, level: "full" });
    const { noticed, clauses } = judge(trial, { ...trial, violated: [], warned: [] });
    expect(noticed).toBe("convicted");
    expect(bugs.find((bug) => bug.id === id)?.clauses.some((clause) => clauses.includes(clause))).toBe(true);
  });
});
