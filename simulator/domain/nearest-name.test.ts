import { describe, expect, it } from "vitest";
import { nearestName } from "./nearest-name.ts";

const names = ["price", "product", "claims", "client", "id"];

describe("The nearest name", () => {
  it.each([
    ["pirce", "price"],
    ["PRICE", "price"],
    ["prodcut", "product"],
    ["produc", "product"],
    ["claim", "claims"],
    ["di", "id"],
  ])("of %s is %s", (wrong, meant) => {
    expect(nearestName(wrong, names)).toBe(meant);
  });

  it.each(["", "x", "zzzzz", "quantity", "pr"])("of %j is none", (wrong) => {
    expect(nearestName(wrong, names)).toBeNull();
  });
});
