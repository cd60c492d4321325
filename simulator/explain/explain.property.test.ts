/** No order of a random session has a state that its facts do not explain. */
import { describe, expect, it } from "vitest";
import { triesAll } from "../../tools/sampled.ts";
import { factCodes } from "./fact.ts";
import { storiesOf, unexplained } from "./testing/stories.ts";

describe("the facts of an order", () => {
  it("explain the state of every order of thousands of random commands", () => {
    const met = new Set<string>();
    let orders = 0;
    for (let seed = 1; seed <= (triesAll ? 40 : 8); seed += 1) {
      const { state, facts } = storiesOf(seed, 250);
      for (const [number, order] of state.orders) {
        orders += 1;
        const told = facts.get(number) ?? [];
        for (const { code } of told) met.add(code);
        expect(unexplained(state, order, told)).toEqual([]);
      }
    }
    expect(orders).toBeGreaterThan(triesAll ? 1000 : 200);
    const ofRequests = ["RECEIVED", "REFUSED", "SIGNATURE", "ANSWERED", "ANSWER_LOST"];
    const rare = ["LEFT_OUT", "HALTED", "WAITS_FOR_CANCEL"];
    const expected = factCodes.filter((code) => !ofRequests.includes(code) && !rare.includes(code));
    expect(expected.filter((code) => !met.has(code))).toEqual([]);
  });

  it("would miss a fill, an end and a reason to wait", () => {
    const { state, facts } = storiesOf(1, 250);
    const without = (code: string): string[] =>
      [...state.orders].flatMap(([number, order]) =>
        unexplained(
          state,
          order,
          (facts.get(number) ?? []).filter((fact) => fact.code !== code),
        ),
      );
    expect(without("TRADED").join()).toContain("how much of it traded");
    expect(without("CANCELLED").join()).toContain("why it is CANCELLED");
    expect(without("WAITS_FOR_TRADE").join()).toContain("what it waits for");
  });
});
