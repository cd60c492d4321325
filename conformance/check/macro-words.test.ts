import { describe, expect, it } from "vitest";
import { mappedDefaults } from "../contract/operations.ts";
import { describeValue } from "./describe.ts";
import { exchangeMacroNames } from "./exchange-macros.ts";
import { checkExpectation } from "./expectation.ts";
import { noContext } from "./matching.ts";
import { valueMacroNames } from "./value-macros.ts";

const nothing = { views: mappedDefaults, collected: () => undefined, bodyOf: () => undefined };

describe("a macro in an expected value", () => {
  it("is shown in words, at any place", () => {
    expect(describeValue({ $macro: "rejected" })).toBe("rejected (400 or a failed outcome)");
    expect(describeValue([{ $macro: "replayed(order)" }, { status: 409 }])).toBe(
      '[replayed (200 with DUPLICATE_REPLAY and the same order),{"status":409}]',
    );
    expect(describeValue({ body: { data: { $macro: "orderShape" } } })).toBe(
      '{"body":{"data":orderShape (the fields of an order)}}',
    );
  });

  it("is shown in words if none of several answers was received", () => {
    const wanted = { $anyOf: [{ $macro: "rejected" }, { $macro: "refused" }] };
    const [found] = checkExpectation(wanted, nothing, noContext);
    expect(found?.expected).toBe("any of [rejected (400 or a failed outcome),refused (4xx, not 404)]");
  });

  it.each([...exchangeMacroNames, ...valueMacroNames])("has words for %s", (name) => {
    expect(describeValue({ $macro: name })).toMatch(new RegExp(`^${name} \\(.+\\)$`));
  });
});
