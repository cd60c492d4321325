import { describe, expect, it } from "vitest";
import { startSimulator } from "../../simulator/index.ts";
import { readTrials } from "./catalogue.ts";
import { fieldBugs } from "./field-bugs.ts";

const clause = (id: string, field?: string) => ({
  id,
  level: "required",
  statement: id,
  certificate: "core",
  ...(field === undefined ? {} : { where: { field } }),
});

const told = (...names: readonly string[]) =>
  fieldBugs(
    {
      ProductPair: {
        fields: [
          { name: "createdAt", type: "string", required: false, nullable: false, format: "date-time" },
          { name: "minOrderSize", type: ["string", "object"], required: true, nullable: true },
        ],
      },
    },
    [
      clause("PRD-06", "createdAt, updatedAt"),
      clause("PRD-14", "minOrderSize"),
      clause("ORD-08", "createdAt"),
    ],
  )
    .filter(({ id }) => names.includes(id))
    .map(({ id, violates, level = "required" }) => `${id} ${violates.join(" ")} ${level}`);

describe("the bugs in single fields", () => {
  it("are values that the field tables exclude", () => {
    const wrong = fieldBugs(
      { Envelope: { fields: [{ name: "success", type: "boolean", required: true, nullable: false }] } },
      [],
    );
    expect(wrong.map(({ id }) => id.replace("GM:envelope.success:", ""))).toEqual([
      "absent",
      "null",
      "string",
      "number",
      "object",
      "array",
    ]);
  });

  it("break the clauses that speak of the field and of its format", () => {
    expect(told("GM:pair.createdAt:null", "GM:pair.createdAt:broken")).toEqual([
      "GM:pair.createdAt:null PRD-06 required",
      "GM:pair.createdAt:broken PRD-06 GEN-06 required",
    ]);
  });

  it("break a recommendation where the document only advises", () => {
    expect(told("GM:pair.minOrderSize:absent", "GM:pair.minOrderSize:number")).toEqual([
      "GM:pair.minOrderSize:absent PRD-14 required",
      "GM:pair.minOrderSize:number PRD-14 recommended",
    ]);
  });

  it("can all be made, and each breaks a clause", async () => {
    const trials = (await readTrials()).filter(({ kind }) => kind === "field");
    expect(trials.length).toBe(299);
    expect(trials.filter(({ violates }) => violates.length === 0)).toEqual([]);
    await using simulator = await startSimulator({ defects: trials.map(({ id }) => id) });
    expect(simulator.keys.length).toBeGreaterThan(0);
  });
});
