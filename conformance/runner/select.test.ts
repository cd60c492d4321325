import { describe, expect, it } from "vitest";
import { readSuite } from "../load-suite.ts";
import type { ClaimedLevel } from "../model/clause.ts";
import type { Scenario } from "../model/scenario.ts";
import { select } from "./select.ts";

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
