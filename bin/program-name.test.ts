import path from "node:path";
import { expect, it } from "vitest";
import { programName } from "./program-name.ts";

const inFolder = (...names: string[]): string => path.join(process.cwd(), ...names);

it.each([
  ["a checkout", inFolder("bin", "gatewright"), "/usr/bin", path.join(".", path.sep, "bin", "gatewright")],
  ["a package in a project", inFolder("node_modules", ".bin", "gatewright"), "/usr/bin", undefined],
  ["a folder of PATH", "/opt/tools/gatewright", `/usr/bin${path.delimiter}/opt/tools`, "gatewright"],
  ["another folder", "/opt/tools/gatewright", "/usr/bin", "/opt/tools/gatewright"],
])("in %s the program is called so that it can be typed", (_place, file, search, expected) => {
  const name = programName(file, search);
  if (expected !== undefined) expect(path.normalize(name)).toBe(path.normalize(expected));
  if (name.startsWith(".")) expect(path.resolve(name)).toBe(file);
  expect(name.startsWith("/") || name.startsWith(`.${path.sep}`) || name === "gatewright").toBe(true);
});
