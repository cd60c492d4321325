import { readFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { describe, expect, it } from "vitest";
import { sampled } from "../../tools/sampled.ts";
import { maxFileBytes } from "./defaults.ts";
import { readYaml } from "./read-yaml.ts";
import { scanYaml } from "./scan-yaml.ts";

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);

/** Texts that abort or stall the parser, or did so in an earlier version of it. */
const hostile: readonly (readonly [string, string])[] = [
  ["two documents of nested brackets", `${nested(5000)}\n---\n${nested(5000)}`],
  ["nested brackets", nested(1000)],
  ["nested braces", "{a: ".repeat(1000)],
  ["complex keys in a row", `${"? ".repeat(500)}a`],
  ["complex keys inside brackets", `[ ${"? ".repeat(500)}a ]`],
  ["one complex key in a list", "- ? a"],
  ["lists in a row", `${"- ".repeat(500)}a`],
  ["deep indentation", Array.from({ length: 1000 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n")],
  ["more than a mebibyte", `a: ${"x".repeat(maxFileBytes)}`],
];

/** CPU time of this process, which other programs on the machine do not lengthen. */
function secondsOfWork(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1e6;
}

describe("The look before parsing", () => {
  it.each(hostile)("refuses %s with little work", (_, text) => {
    const before = process.cpuUsage();
    expect(scanYaml(text, "world.yaml")).not.toBeNull();
    expect(secondsOfWork(before)).toBeLessThan(2);
  });

  it.each(["demo.yaml", "replay.yaml"])("lets %s pass", (name) => {
    const text = readFileSync(path.resolve(import.meta.dirname, "../../fixtures/worlds", name), "utf8");
    expect(scanYaml(text, name)).toBeNull();
  });

  it("lets ordinary punctuation pass", () => {
    const text = '# what? why? ] } ? yes\na: "is it? no"\nb: [x, y]\nc: - - -\nd: what? a question\n';
    expect(scanYaml(text, "world.yaml")).toBeNull();
  });
});

const longTexts: readonly (readonly [string, string])[] = [
  ["many keys", Array.from({ length: 60_000 }, (_, index) => `key${index}: 1`).join("\n")],
  ["a long list", `[${"1,".repeat(100_000)}1]`],
  ["many comments", `${"# x\n".repeat(200_000)}a: 1`],
  ["many blank lines", `a: 1${"\n".repeat(500_000)}b: 2`],
];

describe("Accepted by the scan", () => {
  it.each<readonly [string, string]>([
    ...sampled(4, longTexts),
    ["brackets to the limit", nested(32)],
    [
      "indentation to the limit",
      Array.from({ length: 101 }, (_, depth) => `${" ".repeat(depth)}a:`).join("\n"),
    ],
  ])("is parsed with bounded work: %s", async (_, text) => {
    const before = process.cpuUsage();
    await readYaml(text, "world.yaml");
    expect(secondsOfWork(before)).toBeLessThan(20);
  });
});
