import { describe, expect, it } from "vitest";
import type { Step } from "../../model/step.ts";
import type { ValueMap } from "../../model/value.ts";
import { statusesExpected } from "./statuses-expected.ts";

// as: the function reads no other part of a step.
const step = (expected: ValueMap, should?: ValueMap): Step =>
  ({ assertions: { expect: expected, ...(should === undefined ? {} : { should }) } }) as unknown as Step;
const asked = [400, 429, 503, 512];
const named = (expected: ValueMap, should?: ValueMap) => {
  const { names, serverErrors } = statusesExpected(step(expected, should), (text) =>
    text.replace("${row.status}", "503"),
  );
  return [asked.filter(names), serverErrors];
};

describe("the statuses that a step names", () => {
  it.each<[string, ValueMap, readonly number[], boolean]>([
    ["a number", { status: 429 as never }, [429], false],
    ["one of several", { status: { $in: [400, 503] as never } }, [400, 503], true],
    ["behind a clause", { status: { $cite: "LIM-01", is: 429 as never } }, [429], false],
    [
      "one of two blocks",
      { $anyOf: [{ status: 400 as never }, { status: 429 as never }] },
      [400, 429],
      false,
    ],
    ["of one branch", { $switch: "${first.status}", "200": { status: 503 as never } }, [503], true],
    ["by a macro", { $macro: "invalid" }, [400], false],
    ["by a reference", { status: "${row.status}" }, [503], true],
    ["a class is no number", { status: "5xx" }, [], true],
    ["what must not come", { status: { $not: 429 as never } }, [], false],
    ["a class that must not come", { status: { $not: "5xx" } }, [], false],
    ["an amount", { order: { filledQuantity: "429.00", filledValue: { $dec: "512" } } }, [], false],
    ["a status of an order", { order: { status: "503" } }, [], false],
  ])("%s", (_, block, numbers, serverErrors) => {
    expect(named(block)).toEqual([numbers, serverErrors]);
  });

  it("are those of a recommendation, too", () => {
    expect(named({ status: "4xx" }, { status: 429 as never })).toEqual([[429], false]);
  });
});
