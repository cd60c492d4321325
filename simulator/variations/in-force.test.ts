import { describe, expect, test } from "vitest";
import { switchableVariations } from "../domain/settings.ts";
import { knownFreedoms } from "../world/freedoms.ts";
import { legalAnswers } from "./legal-answers.ts";
import { legalRules } from "./legal-rules.ts";

describe("the variations that a running world can switch", () => {
  test("are those that the register of freedoms names, each once, and are in the catalogue", () => {
    const named = knownFreedoms().flatMap(({ options }) =>
      options.flatMap(({ variation }) => variation ?? []),
    );
    expect(named.toSorted()).toEqual([...switchableVariations]);
    const known = [...legalAnswers, ...legalRules].map(({ id }) => id);
    expect(known).toEqual(expect.arrayContaining(named));
  });

  test("decorate answers and calls alone: nothing of a listener can be switched", () => {
    for (const { id, decorate } of [...legalAnswers, ...legalRules]) {
      if (!switchableVariations.some((one) => one === id)) continue;
      // as: none of these looks at its parts before it is called.
      const decorators = decorate({ now: () => 0 } as Parameters<typeof decorate>[0]);
      expect([
        id,
        Object.keys(decorators).filter((name) => !["answer", "route", "authenticator"].includes(name)),
      ]).toEqual([id, []]);
    }
  });
});
