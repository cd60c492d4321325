import path from "node:path";
import { describe, expect, it } from "vitest";
import { readProject } from "./tidy/project.ts";
import { problemsIn } from "./tidy/rule.ts";
import { rules } from "./tidy/rules.ts";

const project = readProject(path.resolve(import.meta.dirname, ".."));

describe("the project keeps its conventions", () => {
  // A scanner that finds nothing to scan would pass every rule.
  it("has files to look at", () => {
    expect(project.filter((file) => file.path.startsWith("bin/tidy/")).length).toBeGreaterThan(5);
  });

  it.each(rules)("$name", (rule) => {
    expect(problemsIn(project, [rule])).toEqual([]);
  });
});
