import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { operationNames } from "../contract/operations.ts";
import { lintScenario } from "../lint/lint-scenario.ts";
import { ClauseRegister } from "../model/clause.ts";
import { scenarioSchema } from "../model/language.ts";
import { actionNames } from "../model/step.ts";
import type { Value } from "../model/value.ts";
import { effortOf } from "../plan/effort.ts";
import { toScenario, toSections } from "./scenario.ts";
import { checkSchema } from "./schema-check.ts";
import { Source } from "./source.ts";

const sourceOf = (value: Value): Source => new Source("case.yaml", "", { at: 0, scalar: null }, value);

const junk = fc.oneof(
  fc.constantFrom<Value>(null, true, 0, 7, "", "${row.x}", "${", "none", "5s", "placeOrder", "BTC-USD"),
  fc.constantFrom<Value>([], [7], [[7]], {}, { op: 7 }, { $anyOf: 7 }, { $switch: {} }, { steps: 7 }),
);

/** A mapping with names that the schema knows at this place, and values that do not belong there. */
const withNamesOf = (schema: unknown, inner: fc.Arbitrary<Value> = junk): fc.Arbitrary<Value> => {
  const { properties = {}, $ref = "" } = schema as { properties?: object; $ref?: string };
  const definitions: Readonly<Record<string, object>> = scenarioSchema.definitions;
  const named = definitions[$ref.split("/").at(-1) ?? ""] as typeof schema;
  if (named !== undefined && $ref !== "#/definitions/step") return withNamesOf(named, inner);
  const names = Object.keys(properties);
  return names.length === 0 ? inner : fc.dictionary(fc.constantFrom(...names), inner, { maxKeys: 3 });
};

/** One action of the language, its parts, and the parts of those. */
const nearlySteps = fc.array(
  fc.constantFrom(...actionNames).chain((action) => {
    const { properties: known } = JSON.parse(JSON.stringify(scenarioSchema.definitions.step)) as {
      readonly properties: Readonly<Record<string, object>>;
    };
    const parts = Object.values((known[action] as { properties?: object }).properties ?? {});
    const part = fc.oneof(junk, ...parts.map((one) => withNamesOf(one)));
    const traits = fc.dictionary(
      fc.constantFrom("expect", "should", "rows", "when", "capture", "spec"),
      junk,
      {
        maxKeys: 2,
      },
    );
    return fc
      .tuple(withNamesOf(known[action], part), traits)
      .map(([doing, more]) => ({ [action]: doing, ...more }));
  }),
  { maxLength: 3 },
);

const context = { clauses: new ClauseRegister([]), operations: operationNames, fragments: new Map() };

describe("a file that is no scenario", () => {
  it("is read, linted and weighed without a crash, with any value in place of a step", () => {
    const numRuns = triesAll ? 2_000 : 500;
    let refused = 0;
    fc.assert(
      fc.property(nearlySteps, (steps) => {
        const source = sourceOf({ kit: 1, id: "a-case", title: "T", spec: ["X-ABC-01"], steps });
        if (checkSchema(source, "scenario").length > 0) refused += 1;
        lintScenario(source, toSections(source), context);
        effortOf(toScenario(source), {}, context.fragments);
      }),
      { numRuns, seed: 1 },
    );
    expect(refused).toBeGreaterThan(numRuns / 2);
  });
});
