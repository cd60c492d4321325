/** What keeps a worker from working, and those who ask from asking: each is a sentence. */
import { cpSync, mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { main } from "../gatewright.ts";
import { captureOutput } from "../testing/capture-output.ts";
import { launch } from "../testing/launch.ts";

const root = path.resolve(import.meta.dirname, "../..");
const said = captureOutput();
const profile = path.join(root, "fixtures", "profiles", "simulator.yaml");

describe("a worker that cannot be, or cannot be asked", () => {
  it("name the package that is missing, which the program does not bring", async () => {
    const installed = path.join(mkdtempSync(path.join(os.tmpdir(), "gatewright-")), "package");
    for (const part of ["bin/gatewright", "bin/node-version.mjs", "package.json"])
      cpSync(path.join(root, part), path.join(installed, part));
    const isProgram = (from: string): boolean => !/dist\/(?:bench|console)/.test(from);
    cpSync(path.join(root, "dist"), path.join(installed, "dist"), { recursive: true, filter: isProgram });
    const store = ["--store", "postgres://nobody@127.0.0.1:1/none"];
    const { code, stderr } = await launch(path.join(installed, "bin/gatewright"), ["work", ...store]);
    expect(code).toBe(2);
    expect(stderr).toContain("need the package pg-boss, which is installed only by who wants it");
  });

  it.each([
    [["work", "--store", "mysql://db"], "the address of a PostgreSQL: postgres://user@host/name"],
    [["work", "--store", "postgres://u@127.0.0.1:1/x"], "the store cannot be used: connect ECONNREFUSED"],
    [["conform", "--workers", "postgres://u@h/x"], "give --profile FILE"],
    [
      ["conform", "--workers", "postgres://u@h/x", "--profile", profile, "--bail", "--scenarios", "."],
      "without --scenarios, --bail",
    ],
    [["conform", "--shards", "2"], "give --workers, too"],
    [["exam", "--client", "x", "--key", "k.pem", "--workers", "postgres://u@h/x"], "leave out --workers"],
  ])("are refused with a sentence: %j", async (args, sentence) => {
    expect(await main(["node", "gatewright", ...args], "1.0.0")).toBe(2);
    expect(said.errors).toContain(sentence);
  });
});
