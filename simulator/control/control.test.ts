import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CHECK_ORDER } from "../engine/check-order.ts";
import { VERSION } from "../version.ts";
import { readFaultRules } from "./fault-rules.ts";
import { readFields } from "./fields.ts";
import { CONTROL_ROUTES } from "./mount.ts";
import { readSettings } from "./settings-patch.ts";

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

describe("documentation that mirrors code", () => {
  it("lists exactly the levers of the control surface, in their own words", () => {
    const documented = [
      ...read("docs/control.md").matchAll(/^\| (`(?:GET|POST|DELETE) \/[^`]*` \| .*) \|$/gm),
    ];
    const body = (example: unknown): string =>
      example === undefined ? "" : `\`${JSON.stringify(example)}\``;
    expect(documented.map(([, row]) => row)).toEqual(
      CONTROL_ROUTES.map(
        ({ method, path, summary, example }) => `\`${method} ${path}\` | ${summary} | ${body(example)}`,
      ),
    );
  });

  it("lists the checks of a new order in the order in which they are made", () => {
    const documented = [...read("docs/simulator.md").matchAll(/^\d+\. (.*)$/gm)].map(([, check]) => check);
    expect(documented).toEqual([...CHECK_ORDER]);
  });

  it("names the version of the package", () => {
    expect(VERSION).toBe((JSON.parse(read("package.json")) as { version: string }).version);
  });
});

describe("bodies of the control surface", () => {
  it("name every unknown, missing and malformed field at once", () => {
    const fields = { amount: { kind: "decimal" }, on: { kind: "boolean" } } as const;
    const result = readFields(fields, { amuont: "1", on: "yes" });
    const problems = result.ok ? [] : result.error.map((problem) => problem.field);
    expect(problems).toEqual(["amuont", "amount", "on"]);
  });

  it("refuse a body that is no object", () => {
    for (const body of [[], "x", 1, null]) expect(readFields({}, body).ok).toBe(false);
  });

  it("leave optional fields null and read times as milliseconds", () => {
    const fields = { at: { kind: "time" }, why: { kind: "text", optional: true } } as const;
    const result = readFields(fields, { at: "2026-01-01T00:00:00Z" });
    expect(result.ok ? result.value : null).toEqual({ at: 1767225600000, why: null });
  });
});

describe("fault rules", () => {
  it("are read with the defaults of an unknown outcome", () => {
    const result = readFaultRules([{ id: "a", fault: { kind: "externalFailure", outcome: "unknown" } }]);
    const fault = { kind: "externalFailure", outcome: "unknown", resolvesTo: "OPEN", afterMs: 1000 };
    expect(result.ok ? result.value : null).toEqual([{ id: "a", fault }]);
  });

  it.each([
    [[{ id: "a" }], "rules[0].fault"],
    [[{ id: "a", fault: { kind: "nonsense" } }], "rules[0].fault.kind"],
    [[{ id: "a", fault: { kind: "status", status: 404 } }], "rules[0].fault.status"],
    [[{ id: "a", fault: { kind: "delay", ms: 10_000_000 } }], "rules[0].fault.ms"],
    [[{ id: "a", fault: { kind: "stuckPending" }, colour: "red" }], "rules[0].colour"],
    ["none", "rules"],
  ])("are refused where they are wrong: %j", (rules, field) => {
    const result = readFaultRules(rules);
    expect(result.ok ? [] : result.error.map((problem) => problem.field)).toContain(field);
  });
});

describe("settings", () => {
  it.each([
    [{ stp: "none", matchDelayMs: 0, slippageCollarBps: null }, []],
    [{ stp: "sometimes" }, ["stp"]],
    [{ matchDelayMs: -1, maxOpenOrders: "many" }, ["matchDelayMs", "maxOpenOrders"]],
    [{ speed: 3 }, ["speed"]],
  ])("are checked one by one: %j", (given, wrong) => {
    const result = readSettings(given);
    expect(result.ok ? [] : result.error.map((problem) => problem.field)).toEqual(wrong);
  });
});
