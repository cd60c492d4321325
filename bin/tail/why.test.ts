/** The line of the facts of an order. */
import { expect, it } from "vitest";
import { factsLine } from "./why.ts";

it("shows each fact with its entry, and facts of one kind together", () => {
  const facts = [
    { code: "ACCEPTED", entry: 8 },
    { code: "TRADED", entry: 9 },
    { code: "TRADED", entry: 9 },
    { code: "TRADED", entry: 40 },
    { code: "FILLED", entry: 40 },
    { code: "FAULT", entry: null },
  ];
  expect(factsLine(facts)).toBe("ACCEPTED 8, TRADED 9 to 40, FILLED 40, FAULT");
});
