import { mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { sampled, triesAll } from "../../tools/sampled.ts";
import { suiteFrom } from "../load-suite.ts";
import { renderProblem } from "../model/position.ts";
import { packageRoot } from "../package-root.ts";
import { YamlReader } from "../parse/yaml-reader.ts";

const folder = await mkdtemp(join(tmpdir(), "gatewright-lint-"));
const reader = new YamlReader();
afterAll(() => reader[Symbol.dispose]());

async function problemsOf(text: string): Promise<string[]> {
  const file = join(folder, "case.yaml");
  await writeFile(file, text);
  const { problems } = await suiteFrom([file], reader);
  return problems.map((problem) => renderProblem(problem));
}

describe("a scenario with mistakes of every kind", () => {
  it("hears of all of them in one round, each with its place, its line and a caret", async () => {
    const found = await problemsOf(
      [
        "kit: 1",
        "id: a-case",
        "titel: T",
        "spec: [PRD-01, PRD-99]",
        "safety: read",
        "steps:",
        "  - id: place",
        "    call: { op: placeOrdr, body: { price: 1.10 } }",
        "    expect: { status: 200, body: { $eahc: 1 } }",
        "  - call: { op: placeOrder, body: { side: BUY, type: LIMIT, product: '${nobody}' } }",
        "    expect: { $macro: placed }",
        "",
      ].join("\n"),
    );
    const heads = [
      ':1:1: the key "title" is missing',
      ':3:1: unknown key "titel"',
      ":4:16: there is no clause PRD-99",
      ':5:9: a-case is at least "reject-only", and safety says "read"',
      ':8:17: there is no operation "placeOrdr"',
      ":8:43: the number 1.10 would lose its spelling",
      ":9:36: unknown matcher $eahc",
      ":10:70: ${nobody} is not defined in this file",
    ];
    expect(found.map((text) => text.slice(text.indexOf("case.yaml") + 9).split("\n")[0])).toEqual(heads);
    for (const text of found) expect(text).toMatch(/\n {2}\d+ \| .*\n +\| +\^/);
  });

  it("never ends the lint, with any wrong value at any place", async () => {
    const root = join(packageRoot(), "scenarios");
    const files = (await readdir(root, { recursive: true })).filter((name) => name.endsWith(".yaml"));
    const wrong = [null, 7, "text", [], {}, [{}], { $macro: 1 }];
    let tried = 0;
    for (const name of files.toSorted().filter((_, at) => at % 48 === 0)) {
      const whole: unknown = parse(await readFile(join(root, name), "utf8"));
      const broken = await mkdtemp(join(folder, "broken-"));
      for (const place of sampled(6, placesIn(whole))) {
        const text = JSON.stringify(replaced(whole, place, wrong[tried % wrong.length]));
        await writeFile(join(broken, `${tried}.yaml`), text);
        tried += 1;
      }
      await suiteFrom([broken], reader);
    }
    expect(tried).toBeGreaterThan(triesAll ? 250 : 40);
  });
});

type Place = readonly string[];

function placesIn(value: unknown, path: Place = []): Place[] {
  if (typeof value !== "object" || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, item]) => placesIn(item, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: Place, by: unknown): unknown {
  if (key === undefined) return by;
  const copy = structuredClone(value) as Record<string, unknown>;
  copy[key] = replaced(copy[key], rest, by);
  return copy;
}
