import { describe, expect, it } from "vitest";
import { readSuite } from "../../load-suite.ts";
import type { ClaimedLevel } from "../../model/clause.ts";
import type { Scenario } from "../../model/scenario.ts";
import { selectProperties } from "../../property-phase.ts";
import { select, unmatchedAmong } from "./select.ts";

const { suite } = await readSuite([]);
const scenario = suite.scenarios.find(({ id }) => id === "orders-060-what-every-order-needs");

const selected = (level: ClaimedLevel, change: Partial<Scenario>): readonly string[] => {
  if (scenario === undefined) throw new Error("orders-060 is gone");
  const scenarios = [{ ...scenario, ...change }];
  const { rows, beyondLevel } = select(scenarios, { only: [], skip: [], level }, suite, 1);
  expect(rows.length + beyondLevel.length).toBe(change.rows?.length ?? scenario.rows.length);
  return rows.map(({ row }) => String(row["name"])).toSorted();
};

describe("the cases of a level", () => {
  const rows = [{ name: "plain" }, { name: "deep", certificate: "limits" }];

  it("leave out what goes deeper than the level asks for", () => {
    expect(selected("core", { rows })).toEqual(["plain"]);
    expect(selected("core+limits", { rows })).toEqual(["deep", "plain"]);
    expect(selected("full", { rows })).toEqual(["deep", "plain"]);
  });

  it("follow their scenario where a row says nothing of its own", () => {
    expect(selected("core+limits", { rows, certificate: "full" })).toEqual(["deep"]);
    expect(() => selected("core", { rows: [{ name: "one" }], certificate: "limits" })).toThrow(/level core/);
  });
});

describe("patterns", () => {
  it("are known when they name a case, a tag, a clause or a property, with * for the rest", () => {
    const known = ["orders-060-what-every-order-needs", "orders-06*", "PLC-01", "P-18", "P-4*", "P-*"];
    const strange = ["P-9*", "P-4", "order-060*", "PLC-999"];
    const found = unmatchedAmong([...known, ...strange], suite.scenarios, suite.clauses, ["P-18", "P-40"]);
    expect(found).toEqual(strange);
  });

  it("of properties ask for those, and leave the cases to the others", () => {
    expect(selectProperties({ only: ["P-4*"] })).toEqual({ choice: "only", cases: [] });
    expect(selectProperties({ only: ["P-1*", "auth-*"] })).toEqual({ choice: "on", cases: ["auth-*"] });
    expect(selectProperties({ only: ["PLC-01"] })).toEqual({ choice: "off", cases: ["PLC-01"] });
  });
});
