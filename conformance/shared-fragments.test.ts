import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { readSuite } from "./load-suite.ts";

const mine = readFileSync("scenarios/idempotency/010-repeat-returns-the-order.yaml", "utf8").replace(
  /^id: .*$/m,
  "id: mine",
);

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "gatewright-own-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text);
  return folder;
}

it("a scenario of one's own uses the fragments of the built-in suite, and its digest counts them", async () => {
  const { suite, problems, files } = await readSuite([folderOf({ "mine.yaml": mine })]);
  expect(problems).toEqual([]);
  expect([...suite.fragments.keys()].toSorted()).toEqual(["resting-buy", "resting-sell"]);
  expect(files).toHaveLength(1);
  const without = await readSuite([folderOf({ "mine.yaml": mine.replace("- use: resting-sell\n", "") })]);
  expect(without.suite.digest.suite).not.toBe(suite.digest.suite);
});

it("its own fragment of that name goes first, and those that a built-in one uses are found", async () => {
  const own = readFileSync("scenarios/fragments/resting-buy.yaml", "utf8").replace(
    /^title: .*$/m,
    "title: Mine",
  );
  const { suite, problems } = await readSuite([folderOf({ "mine.yaml": mine, "own.yaml": own })]);
  expect(problems).toEqual([]);
  expect(suite.fragments.get("resting-buy")?.steps[0]?.position.file).toContain("own.yaml");
  const bought = mine.replace("- use: resting-sell\n", "- use: market-buy-done\n  - use: resting-sell\n");
  const { suite: with3 } = await readSuite([folderOf({ "mine.yaml": bought })]);
  expect([...with3.fragments.keys()]).toEqual(expect.arrayContaining(["market-buy", "let-it-settle"]));
});

it("a fragment that nobody has is a mistake still", async () => {
  const { problems } = await readSuite([
    folderOf({ "mine.yaml": mine.replace("resting-sell", "resting-sel") }),
  ]);
  expect(problems.map(({ message }) => message)).toContain('there is no fragment "resting-sel"');
});
