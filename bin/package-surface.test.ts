import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as kit from "../conformance/index.ts";
import * as adapter from "../conformance/vitest.ts";
import * as simulator from "../simulator/index.ts";

const page = readFileSync(new URL("../docs/library.md", import.meta.url), "utf8");

/** The names in the row of an import, in the table of docs/library.md. */
function documented(entry: string): string[] {
  const row = page.split("\n").find((line) => line.startsWith(`| \`${entry}\` |`)) ?? "";
  return [...(row.split("|")[2] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name).toSorted();
}

describe("the package exports the names in docs/library.md, and nothing else", () => {
  it.each([
    ["gatewright", simulator],
    ["gatewright/conformance", kit],
    ["gatewright/vitest", adapter],
  ])("%s", (entry, exported) => {
    expect(Object.keys(exported).toSorted()).toEqual(documented(entry));
  });
});
