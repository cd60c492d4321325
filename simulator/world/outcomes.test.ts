/** fixtures/outcomes.json has the form that its reader takes for granted. */
import { expect, test } from "vitest";
import { decode } from "../schema/decode.ts";
import { forcedOutcomes, genuineOutcomes } from "./outcomes.ts";
import { FaultRuleSchema, FaultSchema } from "./schema/faults.ts";

test.each(forcedOutcomes)(
  "$code is brought about by faults that a rule may have",
  ({ code, fault, besides }) => {
    const fits = [fault, ...(besides === undefined ? [] : [besides])].map(
      (one) => decode(FaultSchema, one).ok,
    );
    expect(fits).not.toContain(false);
    expect(decode(FaultRuleSchema, { id: "one", outcome: code }).ok).toBe(true);
  },
);

test("codes and prefixes are unlike each other, and each request has a method and a path", () => {
  const all = [...forcedOutcomes, ...genuineOutcomes()].map(({ code }) => code);
  expect(new Set(all).size).toBe(all.length);
  const prefixes = forcedOutcomes.map(({ prefix }) => prefix);
  expect(new Set(prefixes).size).toBe(prefixes.length);
  for (const { request, before = [] } of genuineOutcomes())
    for (const { method, path } of [request, ...before]) expect([method, path[0]]).toEqual([method, "/"]);
});
