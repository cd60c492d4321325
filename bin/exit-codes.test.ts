import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { exitCodes, precedence } from "../conformance/exit-codes.ts";

const page = readFileSync(new URL("../docs/kit.md", import.meta.url), "utf8");
const [, section = ""] = page.split("### Verdicts and exit codes");
const table = section.split("\n").filter((line) => /^\| \d/.test(line));

describe("the exit codes in docs/kit.md", () => {
  it("are those of a run, each with its meaning", () => {
    const listed = table.flatMap((row) => (row.split("|")[1] ?? "").split(",").map(Number));
    expect([...new Set(listed)].toSorted((a, b) => a - b)).toEqual([...precedence].toSorted((a, b) => a - b));
  });

  it("come in the order in which one of several is taken", () => {
    const [, order = ""] = /the exit code is the first of ([\d, ]+)\./.exec(section) ?? [];
    expect(order.split(", ").map(Number)).toEqual(precedence);
  });

  it("leave out the code that only a server ends with", () => {
    expect(Object.values(exitCodes).filter((code) => !precedence.includes(code))).toEqual([
      exitCodes.venueStopped,
    ]);
  });
});
