import { createRequire } from "node:module";
import vm from "node:vm";
import { describe, expect, it } from "vitest";
import { type SchemaName, schemaIds } from "./schemas.ts";
import { validatorPrograms } from "./validator-program.ts";
import { validatorOf } from "./validators.ts";

const names = Object.keys(schemaIds) as SchemaName[];

/** The programs of the build, run as the modules that they are. */
const built: Record<string, ReturnType<typeof validatorOf>> = {};
// oxlint-disable-next-line no-implied-eval -- the program is what is tested
for (const program of validatorPrograms()) {
  const load = vm.runInThisContext(`(exports, require) => {${program}\n}`) as (...given: unknown[]) => void;
  load(built, createRequire(import.meta.url));
}

const step = { call: { op: "placeOrder" } };
const scenario = { kit: 1, id: "a-case", title: "T", spec: ["PLC-01"], steps: [step] };
const values: readonly unknown[] = [
  scenario,
  { ...scenario, safety: "rets", boddy: 1 },
  { ...scenario, spec: [], steps: [{ ...step, wait: "1 day" }, {}, { wait: "5s", spec: ["plc"] }] },
  { ...scenario, id: "A Case", title: "", timeout: 7, rows: [{}, { name: 1 }], requires: { roles: ["x"] } },
  { kit: 1, fragment: "resting-order", steps: [step] },
  { fragment: "Resting Order", steps: "none", more: null },
  { kit: 1, name: "p", baseUrl: 7, kind: "stagin", safety: { allow: "all", budget: { rps: "5" } } },
  [{ case: "a", outcome: "fails", maxRate: 0.5 }, { clause: 1 }, "x"],
  { line: 1, verdict: "FINE", cases: [{ id: "x" }] },
  "text",
  null,
];

describe.each(names)("the validator of %s that the build makes", (name) => {
  it.each(values.map((value) => [JSON.stringify(value).slice(0, 60), value]))(
    "judges %s alike",
    (_, value) => {
      const [now, then] = [validatorOf(name), built[name] ?? expect.unreachable()];
      expect(then(value)).toBe(now(value));
      expect(then.errors).toEqual(now.errors);
    },
  );

  it("finds something to object to", () => {
    expect(values.filter((value) => !validatorOf(name)(value)).length).toBeGreaterThan(values.length - 3);
  });
});
