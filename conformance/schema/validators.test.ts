import { Ajv } from "ajv";
import { expect, it } from "vitest";
import {
  expectationsSchema,
  profileSchema,
  recordingSchema,
  reportSchema,
  scenarioSchema,
} from "./load-schema.ts";
import { type SchemaName, schemaIds } from "./schemas.ts";
import { validatorOf } from "./validators.ts";

const names = Object.keys(schemaIds) as SchemaName[];

const step = { call: { op: "placeOrder" } };
const scenario = { kit: 1, id: "a-case", title: "T", spec: ["PLC-01"], steps: [step] };
const fragment = { kit: 1, fragment: "resting-order", steps: [step] };
const header = { kind: "recording", version: 1, target: "t", started: "2026-11-24T00:00:00.000Z" };
const accepted = [{ where: "GET openOrders *", reason: "known" }];
const fitting: Readonly<Record<SchemaName, readonly unknown[]>> = {
  scenario: [scenario],
  fragment: [fragment],
  profile: [],
  expectations: [],
  accepted: [accepted],
  report: [],
  recording: [header],
};
const values: readonly unknown[] = [
  scenario,
  { ...scenario, safety: "rets", boddy: 1 },
  { ...scenario, spec: [], steps: [{ ...step, wait: "1 day" }, {}, { wait: "5s", spec: ["plc"] }] },
  { ...scenario, id: "A Case", title: "", timeout: 7, rows: [{}, { name: 1 }], requires: { roles: ["x"] } },
  fragment,
  { fragment: "Resting Order", steps: "none", more: null },
  { kit: 1, name: "p", baseUrl: 7, kind: "stagin", safety: { allow: "all", budget: { rps: "5" } } },
  [{ case: "a", outcome: "fails", maxRate: 0.5 }, { clause: 1 }, "x"],
  { line: 1, verdict: "FINE", cases: [{ id: "x" }] },
  accepted,
  [{ where: 1, b: "x", why: "y" }],
  header,
  { ...header, version: 2 },
  "text",
  null,
];

it.each([scenarioSchema(), profileSchema(), expectationsSchema(), reportSchema(), recordingSchema()])(
  "the schema of $title is a schema",
  (schema) => {
    const strangers = new Ajv({ strict: false });
    expect(strangers.validateSchema(schema), strangers.errorsText()).toBe(true);
  },
);

it.each(names)("the validator of %s accepts what is one and nothing else", (name) => {
  expect(values.filter((value) => validatorOf(name)(value))).toEqual(fitting[name]);
});
