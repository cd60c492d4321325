import { expect, test } from "vitest";
import { checkSettings } from "./settings.ts";

test("a nonce memory shorter than two clock windows is refused at start", () => {
  expect(checkSettings({ clockWindowMs: 30_000, nonceRetentionMs: 59_999 })).toMatchObject({
    ok: false,
    error: expect.stringContaining("at least twice auth.clockWindowMs (2 x 30000 = 60000), was 59999"),
  });
  expect(checkSettings({ clockWindowMs: 30_000, nonceRetentionMs: 60_000 }).ok).toBe(true);
});

test("without a retention of its own, the memory follows the window", () => {
  expect(checkSettings()).toMatchObject({
    ok: true,
    value: { clockWindowMs: 30_000, nonceRetentionMs: 300_000 },
  });
  expect(checkSettings({ clockWindowMs: 200_000 })).toMatchObject({
    ok: true,
    value: { nonceRetentionMs: 400_000 },
  });
});

test.each([0, -1, 1.5, Number.NaN, 900_001])("a clock window of %s is refused", (clockWindowMs) => {
  expect(checkSettings({ clockWindowMs }).ok).toBe(false);
});
