import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { checkedSuite } from "./load-suite.ts";
import { packageRoot } from "./package-root.ts";
import { readSuite } from "./testing/read-once.ts";

/** What the built program of that folder reads as its suite. */
function readBuilt(root: string): unknown {
  const dist = join(root, "dist");
  const chunk = readdirSync(dist).find(
    (name) =>
      name.endsWith(".js") && /export\{[^}]*\breadSuite\b/.test(readFileSync(join(dist, name), "utf8")),
  );
  const script = `import { readSuite } from "./dist/${chunk}";
    const { suite, problems } = await readSuite([]);
    console.log(JSON.stringify([[...suite.fragments], suite.scenarios, problems.map(({ message }) => message)]));`;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(stdout === "" ? JSON.stringify(stderr) : stdout);
}

describe("the suite that the build has checked", () => {
  it("is known by its digest, and the built program reads it as the sources do", async () => {
    const digest = readFileSync(join(packageRoot(), "dist", "checked-suite.txt"), "utf8");
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    const { suite, problems } = await readSuite([]);
    const read = JSON.parse(JSON.stringify([[...suite.fragments], suite.scenarios, problems])) as unknown;
    expect(readBuilt(packageRoot())).toEqual(read);
  });

  it("is checked in every run of the sources, and in a built program when it has changed", () => {
    expect(checkedSuite()).toBeUndefined();
    const root = mkdtempSync(join(tmpdir(), "gatewright-checked-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    for (const name of ["dist", "scenarios", "fixtures", "conformance/schema", "package.json"])
      cpSync(join(packageRoot(), name), join(root, name), {
        recursive: true,
        filter: (file) => !/\.map$|dist\/(?:console|types)$/.test(file),
      });
    symlinkSync(join(packageRoot(), "node_modules"), join(root, "node_modules"));
    appendFileSync(join(root, "scenarios", "auth", "010-golden-get.yaml"), "tilte: T\n");
    expect(readBuilt(root)).toMatchObject({ 2: ['unknown key "tilte"'] });
  });
});
