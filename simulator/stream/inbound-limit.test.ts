import { expect, test } from "vitest";
import { InboundLimit, MOST_STRIKES } from "./inbound-limit.ts";

test("allows twice a second's messages at once, and then so many a second", () => {
  const limit = new InboundLimit(10, 0);
  const burst = Array.from({ length: 21 }, () => limit.allows(0));
  expect(burst.filter((allowed) => allowed)).toHaveLength(20);
  expect(limit.allows(99)).toBe(false);
  expect(limit.allows(100)).toBe(true);
  expect(limit.allows(100)).toBe(false);
  expect([limit.allows(1e9), limit.allows(1e9 - 50)]).toEqual([true, true]);
});

test("is exhausted by so many refusals in a row, and one that is allowed starts the count again", () => {
  const limit = new InboundLimit(1, 0);
  for (let sent = 0; sent < 2 + MOST_STRIKES - 1; sent++) limit.allows(0);
  expect(limit.isExhausted).toBe(false);
  expect(limit.allows(1000)).toBe(true);
  for (let sent = 0; sent < MOST_STRIKES; sent++) limit.allows(1000);
  expect(limit.isExhausted).toBe(true);
});
