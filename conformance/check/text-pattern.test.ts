import { describe, expect, it } from "vitest";
import { fitsPattern, maxMatchedText, patternProblem } from "./text-pattern.ts";

/** Patterns for which a backtracking engine would run practically for ever on the longest text. */
const explosive = [
  `^${"a{0,40}".repeat(20)}b$`,
  `^${"a{0,40}".repeat(5)}b$`,
  `${".?".repeat(60)}Z{30}`,
  `${"a?".repeat(100)}${"a".repeat(100)}b`,
  "(a+)+$",
  "^(a|a)*$",
  "(a|aa)+$",
  "a*a*a*a*a*b",
  "(?:a*)*b",
  "(.*)*x",
  "(a{1,10}){1,10}b",
  "((a?){10}){10}b",
  `${"(?:a|b|ab)*".repeat(20)}c`,
  `${"[ab]*".repeat(80)}c`,
];

describe("a pattern that a stranger wrote", () => {
  it.each(explosive)("is refused, or ends: %s", (source) => {
    const text = `${"a".repeat(maxMatchedText - 1)}!`;
    if (patternProblem(source) === undefined) expect(fitsPattern(source, "", text)).toBe(false);
    else expect(() => fitsPattern(source, "", text)).toThrow(patternProblem(source) ?? "");
  });

  it("is mostly taken: few of those are refused", () => {
    expect(explosive.filter((source) => patternProblem(source) !== undefined)).toEqual([
      `^${"a{0,40}".repeat(20)}b$`,
    ]);
  });

  it.each([
    ["(?=a)b", 'a pattern may not look ahead or behind: "(?=" at character 1'],
    ["ab(?!c)", 'a pattern may not look ahead or behind: "(?!" at character 3'],
    ["ab(?<=c)", 'a pattern may not look ahead or behind: "(?<=" at character 3'],
    ["(a)b\\1", 'a pattern may not refer back to a group: "\\\\1" at character 5'],
    ["(?<n>a)\\k<n>", 'a pattern may not refer back to a group: "\\\\k<" at character 8'],
    ["ab(c", 'not a pattern: missing closing ) at "ab(c" at character 1'],
    ["a++", 'not a pattern: invalid nested repetition operator at "++" at character 2'],
    ["[z-a]", 'not a pattern: invalid character class range at "z-a" at character 2'],
    ["a{0,150}b{51}", "the counts in the braces of a pattern come to at most 200, these to 201"],
    [`${"(?:(?:a{9}){9}){9}".repeat(4)}`, "a pattern takes at most 2000 steps, this one 2918"],
    ["x".repeat(501), "a pattern is at most 500 characters long"],
  ])("is refused with what is wrong and where: %s", (source, problem) => {
    expect(patternProblem(source)).toBe(problem);
  });

  it("has no other flags than i, m, s and u", () => {
    expect(patternProblem("a", "g")).toBe('pattern flags may be i, m, s, u, not "g"');
    expect(patternProblem("a", "imsu")).toBeUndefined();
  });
});

describe("a pattern has the same meaning as in JavaScript", () => {
  it.each([
    ["^[a-z]{2,8}-\\d+$", "", "abc-12", "abc-"],
    ["(at [A-Za-z.]+ \\(|node_modules|\\.(js|ts):[0-9])", "", "at x.y (", "at home"],
    ["\\S", "", " x ", " \t\n"],
    ["^a.b$", "s", "a\nb", "a\nc"],
    ["^b$", "m", "a\nb\nc", "ab"],
    ["straße", "i", "STRAßE", "strasse"],
    ["^.$", "u", "\u{1f600}", "ab"],
    ["\\u0041\\/[^\\]]", "", "A/x", "A/]"],
    ["(?<year>\\d{4})-x", "", "2026-x", "2026"],
    ["\\\\1[(?=]", "", "\\1(", "1("],
  ])("/%s/%s fits %j and not %j", (source, flags, fitting, other) => {
    expect(patternProblem(source, flags)).toBeUndefined();
    expect(fitsPattern(source, flags, fitting)).toBe(true);
    expect(fitsPattern(source, flags, other)).toBe(false);
  });

  it("looks at no text that is longer than its limit", () => {
    expect(fitsPattern("a", "", "a".repeat(maxMatchedText))).toBe(true);
    expect(fitsPattern("a", "", "a".repeat(maxMatchedText + 1))).toBe(false);
  });
});
