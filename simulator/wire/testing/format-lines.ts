/** Lines of fixtures/formats: each the content of a JSON string; quotes protect blanks. */
import { readFileSync } from "node:fs";

export function formatLines(name: string): string[] {
  const text = readFileSync(new URL(`../../../fixtures/formats/${name}.txt`, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => String(JSON.parse(line.startsWith('"') ? line : `"${line}"`)));
}
