import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { counted, readSuite, renderProblem } from "../conformance/index.ts";
import { type Ended, launch as launchProgram } from "./testing/launch.ts";

const root = path.resolve(import.meta.dirname, "..");
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-"));
const at = (name: string): string => path.join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

const launch = (...args: readonly string[]): Promise<Ended> =>
  launchProgram(path.join(root, "bin", "gatewright"), args, { KEY_SECRET: "a secret of nobody" });

/** The first start may have to build. */
beforeAll(async () => {
  await launch("--version");
  expect(existsSync(path.join(root, "dist", "kit.cjs"))).toBe(true);
});

describe("the bundle of the kit", () => {
  it.each([
    ["an unknown key", "kit: 1\nid: a-case\ntitle: T\nspec: [PLC-01]\nsafty: read\nsteps: [{ sleep: 1s }]\n"],
    [
      "a step of two",
      "kit: 1\nid: a-case\ntitle: T\nspec: [PLC-01]\nsteps: [{ sleep: 1s, wait: 1s, call: {} }]\n",
    ],
    ["wrong types", "kit: 1\nid: A\ntitle: 7\nspec: []\nrows: [1]\nsteps:\n  - call: { op: placeOrdr }\n"],
    ["a fragment", "fragment: f\nsteps: []\nmore: 1\n"],
    ["no YAML", "kit: [1\n"],
  ])("refuses %s as the modules do", async (name, text) => {
    const file = at(`${name.replaceAll(" ", "-")}.yaml`);
    writeFileSync(file, text);
    const { problems } = await readSuite([file]);
    expect(problems).not.toEqual([]);
    const { code, stdout } = await launch("lint", file);
    expect(stdout).toBe(
      `${problems.map(renderProblem).join("\n")}\n1 file, 0 scenarios, 0 fragments: ${counted(problems.length, "problem")}\n`,
    );
    expect(code).toBe(2);
  });

  it("knows its errors by class, and finds the files beside its modules", async () => {
    const target = `http://127.0.0.1:${await closedPort()}/api/v1/trading`;
    const named = ["--target", target, "--key-id", "key", "--secret-env", "KEY_SECRET"];
    const { code, stderr } = await launch("conform", ...named, "--report", `html=${at("report.html")}`);
    expect(stderr).toContain("ECONNREFUSED");
    expect(code).toBe(4);
    expect(readFileSync(at("report.html"), "utf8")).toContain("<style>");
  });
});

function closedPort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
