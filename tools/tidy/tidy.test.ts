import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { unknownRooms } from "./layering.ts";
import { lostPointers } from "./pointers.ts";
import { fileAt, projectOf, readProject } from "./project.ts";
import { problemsIn } from "./rule.ts";
import { rules } from "./rules.ts";

const root = path.resolve(import.meta.dirname, "..", "..");
const project = readProject(root);

describe("the project keeps its conventions", () => {
  // A scanner that finds nothing to scan would pass every rule.
  it("has files to look at", () => {
    expect(project.filter((file) => file.path.startsWith("tools/tidy/")).length).toBeGreaterThan(5);
  });

  it("has every room and file that the tables of layers name", () => {
    expect(unknownRooms(project)).toEqual([]);
  });

  it("has every file and function that the pictures of the architecture name", () => {
    const page = fileAt(project, "docs/architecture.md");
    expect(page?.text).toContain("serveCall()");
    expect(page === undefined ? null : lostPointers(project, page)).toEqual([]);
  });

  it("would miss them", () => {
    const page =
      "   ▼  http/a.ts\n   │    b()   here\n   │    c()   of auth/d.ts\n   │    e()   of http/f.ts, and g()\n";
    const files = {
      "simulator/http/a.ts": "function b() {}\n",
      "simulator/auth/d.ts": "cc();\n",
      "docs/p.md": page,
    };
    const [...pages] = projectOf(files).slice(-1);
    expect(pages.flatMap((one) => lostPointers(projectOf(files), one))).toEqual([
      "c()",
      "http/f.ts",
      "e()",
      "g()",
    ]);
  });

  it.each(rules)("$name", (rule) => {
    expect(problemsIn(project, [rule])).toEqual([]);
  });

  it("are not applied to files that git ignores, such as a set-up in progress", () => {
    const copy = mkdtempSync(path.join(tmpdir(), "gatewright-"));
    for (const name of ["biome.json", ".gitignore"])
      copyFileSync(path.join(root, name), path.join(copy, name));
    for (const folder of [".gatewright-setup.lock", "dist", "bin"]) {
      mkdirSync(path.join(copy, folder));
      writeFileSync(path.join(copy, folder, "example.json"), '{ "pid":1 }');
    }
    const biome = path.join(root, "node_modules", "@biomejs", "biome", "bin", "biome");
    const { stdout, stderr } = spawnSync(process.execPath, [biome, "check"], { cwd: copy, encoding: "utf8" });
    rmSync(copy, { recursive: true });
    const asked = [...(stdout + stderr).matchAll(/^(\S+\.json) format/gm)].map(([, file]) => file);
    expect(asked).toEqual(["bin/example.json"]);
  });
});
