import { describe, expect, it } from "vitest";
import { maxMatchedText, patternProblem } from "./safe-regex.ts";

describe("a pattern that a stranger wrote", () => {
  it.each(["(a+)+$", "(a|a)*$", "a*a*a*b", "a{0,500}a{0,500}a{0,500}b", "(?=a)", "(a)\\1", "(?<n>a)", "a{"])(
    "is refused when it could run for ever or is none: %s",
    (source) => {
      if (source === "a{") expect(patternProblem(source, "u")).toMatch(/not a pattern/);
      else expect(patternProblem(source)).toBeDefined();
    },
  );

  it.each([
    "^[a-z]{2,8}-\\d+$",
    "(at [A-Za-z.]+ \\(|node_modules|\\.(js|ts):[0-9])",
    "\\S",
    "^.*x.*$",
    "a{3}b{2,40}c{5}",
  ])("is taken: %s", (source) => {
    expect(patternProblem(source)).toBeUndefined();
  });

  it("looks at a bounded piece of text only", () => {
    expect(maxMatchedText).toBeLessThanOrEqual(2048);
  });
});
