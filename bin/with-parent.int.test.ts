/** A sandbox that ends with the process that has started it, by the launcher that people use. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";

const launcher = fileURLToPath(new URL("gatewright", import.meta.url));
/** Starts a sandbox as a test run does, and does nothing more. */
const testRun = `
  const [launcher, stdin, ...flags] = process.argv.slice(1);
  const words = [launcher, "serve", "--port", "0", "--db", ":memory:", "--json", ...flags];
  require("node:child_process").spawn(process.execPath, words, { stdio: [stdin, "inherit", "inherit"] });
  setInterval(() => undefined, 1000);`;

let folder = "";
const started: number[] = [];
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "with-parent-"));
});
afterEach(() => {
  for (const pid of started.splice(0)) if (isRunning(pid)) process.kill(pid, "SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

it.each(["pipe", "ignore"])("ends when its parent is killed, with %s as standard input", async (stdin) => {
  const parent = spawn(process.execPath, ["-e", testRun, launcher, stdin, "--with-parent"], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [line] = (await once(createInterface(parent.stdout), "line")) as [string];
  const { pid, controlUrl } = JSON.parse(line) as { readonly pid: number; readonly controlUrl: string };
  started.push(pid);
  // Nothing to read is no end.
  expect((await fetch(`${controlUrl}/health`)).status).toBe(200);
  parent.kill("SIGKILL");
  await expect.poll(() => isRunning(pid)).toBe(false);
  expect(readdirSync(path.join(folder, ".gatewright"))).toEqual([]);
});

it("ends when its standard input ends", async () => {
  const words = [launcher, "serve", "--port", "0", "--db", ":memory:", "--json", "--with-parent"];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ["pipe", "pipe", "ignore"] });
  const ended = once(child, "exit");
  await once(createInterface(child.stdout), "line");
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});
