import { expect, it } from "vitest";
import { busyness } from "./quiet.ts";

it("lets an idle machine be measured, and says of a busy one how busy it is", () => {
  expect([busyness(0.9, 2), busyness(1, 1), busyness(4, 8)]).toEqual([undefined, undefined, undefined]);
  expect(busyness(1.1, 2)).toBe(
    "this machine is busy: a load of 1.1 on 2 cores, and at most 1 allows to measure",
  );
  expect(busyness(15, 8)).toContain("a load of 15.0 on 8 cores");
});
