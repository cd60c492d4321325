/** `gatewright check`, `gatewright backup` and `gatewright reset`, as they are typed. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Command } from "@commander-js/extra-typings";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { exitCodes } from "../conformance/exit-codes.ts";
import { startSimulator } from "../simulator/index.ts";
import { failureOf } from "./command-failure.ts";
import { register as registerBackup } from "./commands/backup.ts";
import { register as registerCheck } from "./commands/check.ts";
import { register as registerReset } from "./commands/reset.ts";

let folder = "";
let db = "";
beforeEach(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-file-commands-"));
  db = path.join(folder, "v.db");
  const simulator = await startSimulator({ db, clock: "manual" });
  await simulator.close();
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  process.exitCode = 0;
});

async function run(...args: readonly string[]): Promise<string> {
  const program = new Command().exitOverride();
  registerCheck(program);
  registerBackup(program);
  registerReset(program);
  let text = "";
  const write = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    text += String(chunk);
    return true;
  });
  try {
    await program.parseAsync(["node", "gatewright", ...args]);
  } finally {
    write.mockRestore();
  }
  return text;
}

it("check reports in one line that a venue is intact", async () => {
  expect(await run("check", "--db", db)).toMatch(
    /v\.db is intact: [0-9]+ entries replayed to hash [0-9a-f]{32}; snapshots: 1, nonces: 0, mark: valid\.\n$/,
  );
  expect(process.exitCode).toBe(exitCodes.ok);
  expect(JSON.parse(await run("check", "--db", db, "--json"))).toMatchObject({ whole: true, problems: [] });
});

it("check refuses a file that is not a venue with exit code 2", async () => {
  const refused = run("check", "--db", path.join(folder, "none.db"));
  expect(failureOf(await refused.catch((error: unknown) => error))?.code).toBe(exitCodes.usage);
});

it("backup names its copy: a venue that check finds intact, with the hash of the first", async () => {
  const hash = /hash ([0-9a-f]{32})/;
  const out = path.join(folder, "b.db");
  const said = await run("backup", "--db", db, "--out", out);
  expect(said).toMatch(
    /^Copied .*v\.db to .*b\.db: entries 1 to [0-9]+, .*\. Keep its mark .*b\.db\.mark with it\.\n$/,
  );
  expect(hash.exec(said)?.[1]).toBe(hash.exec(await run("check", "--db", db))?.[1]);
  expect(await run("check", "--db", out)).toMatch(/b\.db is intact: .*mark: valid/);
  const again = run("backup", "--db", db, "--out", out);
  await expect(again).rejects.toThrow(/b\.db exists already/);
  expect(failureOf(await again.catch((error: unknown) => error))?.code).toBe(exitCodes.usage);
});

it("reset lists the removed files, and does not remove a file in use", async () => {
  const simulator = await startSimulator({ db, clock: "manual" });
  await expect(run("reset", "--db", db)).rejects.toThrow(/in use by a running process/);
  await simulator.close();
  expect(await run("reset", "--db", db)).toBe(
    `Removed ${db}.mark, ${db}. The next start creates a new venue.\n`,
  );
  expect(existsSync(db)).toBe(false);
  expect(await run("reset", "--db", db)).toBe(`There is no venue at ${db}: nothing to remove.\n`);
});
