import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { renderProblem } from "../model/position.ts";
import { readSuite } from "../testing/read-once.ts";

const head = "kit: 1\nid: x-short\ntitle: T\nspec: [PRD-01]\nsafety: trades\n";
const list = (length: number, item: string): string => `[${Array.from({ length }, () => item).join(", ")}]`;
const call = "steps:\n  - call: { op: products }\n";
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

async function problemsIn(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "gatewright-"));
  folders.push(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const { problems } = await readSuite([folder]);
  return problems.map(renderProblem).join("\n").replaceAll(`${folder}/`, "");
}

describe("a short file that expands to a long one is refused before it is expanded", () => {
  it("axes that multiply", async () => {
    const axes = [..."abcde"].map((axis) => `${axis}: ${list(100, "v")}`).join(", ");
    expect(await problemsIn({ "a.yaml": `${head}matrix: { ${axes} }\n${call}` })).toMatch(
      /^a\.yaml:6:9: these axes make 10000000000 rows; a scenario has at most 10000\n/,
    );
  });

  it("variables that hold variables, and one that holds itself", async () => {
    const levels = [0, 1, 2, 3, 4, 5].map((level) => `  v${level}: ${list(100, `'\${v${level + 1}}'`)}\n`);
    const said = /^a\.yaml:2:5: written out, .* more than 200000 values\n/;
    expect(await problemsIn({ "a.yaml": `${head}vars:\n${levels.join("")}  v6: [x]\n${call}` })).toMatch(
      said,
    );
    expect(await problemsIn({ "a.yaml": `${head}vars: { v: ${list(100, "'${v}'")} }\n${call}` })).toMatch(
      said,
    );
  });

  it("fragments that use fragments", async () => {
    const uses = (level: number): string => "  - use: part-" + (level + 1) + "\n";
    const parts = [0, 1, 2, 3, 4, 5, 6, 7].map((level) => [
      `p${level}.yaml`,
      `kit: 1\nfragment: part-${level}\nsteps:\n${uses(level).repeat(10)}`,
    ]);
    const last = ["p8.yaml", "kit: 1\nfragment: part-8\nsteps:\n  - call: { op: products }\n"];
    expect(await problemsIn(Object.fromEntries([...parts, last]) as Record<string, string>)).toMatch(
      /p0\.yaml:2:11: written out, with its fragments/,
    );
  });

  it("too many different patterns", async () => {
    const steps = (count: number, same = ""): string =>
      Array.from(
        { length: count },
        (_, at) =>
          `  - call: { op: products }\n    expect: { body: { message: { $re: 'word ${same || at}' } } }\n`,
      ).join("");
    const said = await problemsIn({ "a.yaml": `${head}steps:\n${steps(101)}` });
    expect(said).toMatch(/^a\.yaml:208:\d+: a file has at most 100 different patterns \(\$re\)\n/);
    expect(said).toContain("one pattern can match several texts");
    expect(await problemsIn({ "a.yaml": `${head}steps:\n${steps(100)}${steps(50, "again")}` })).toMatch(
      "a file has at most",
    );
    expect(await problemsIn({ "a.yaml": `${head}steps:\n${steps(99)}${steps(200, "again")}` })).toBe("");
    const shared = `kit: 1\nfragment: part\nsteps:\n${steps(101)}`;
    expect(await problemsIn({ "p.yaml": shared })).toContain("a file has at most 100");
  });

  it("and a long one that is written out is not", async () => {
    const rows = Array.from({ length: 2000 }, (_, index) => `  - { name: r${index} }`).join("\n");
    expect(await problemsIn({ "a.yaml": `${head}rows:\n${rows}\n${call}` })).toBe("");
    const axes = `a: ${list(20, "v")}, b: ${list(20, "w")}`;
    expect(await problemsIn({ "a.yaml": `${head}matrix: { ${axes} }\n${call}` })).toBe("");
  });
});
