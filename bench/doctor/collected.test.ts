/** The collected mistakes, and the shares that docs/signing.md publishes. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { collected, judge } from "./collected.ts";

test("the collection is large, from many languages, and names each source once", () => {
  expect(collected.length).toBeGreaterThanOrEqual(40);
  expect(new Set(collected.map(({ language }) => language)).size).toBeGreaterThanOrEqual(5);
  expect(new Set(collected.map(({ source }) => source)).size).toBe(collected.length);
});

test("the published shares are those of this build", async () => {
  const count = { right: 0, wrong: 0, unnamed: 0 };
  for (const mistake of collected) count[(await judge(mistake)).outcome] += 1;
  const page = readFileSync(new URL("../../docs/signing.md", import.meta.url), "utf8");
  const percent = Math.round((100 * count.right) / collected.length);
  expect(page).toContain(
    `| after | ${count.right} of ${collected.length} | ${percent} % | ${count.wrong} | ${count.unnamed} |`,
  );
});
