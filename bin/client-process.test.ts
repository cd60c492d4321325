import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { expect, it } from "vitest";
import { type ClientRun, mostOutput, runClient } from "./client-process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "gatewright-client-"));

function run(command: string, more: Partial<ClientRun> = {}) {
  const mark = path.join(folder, randomUUID());
  return runClient({ command, environment: { GATEWRIGHT_TASK: mark }, mark, limitMs: 60_000, ...more });
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it("gives the end and the output of a program that ends", async () => {
  expect(await run('echo "$GATEWRIGHT_TASK" | wc -l; echo two >&2; exit 3')).toMatchObject({
    kind: "exited",
    code: 3,
    stdout: expect.stringMatching(/^\s*1\n$/),
    stderr: "two\n",
    leftRunning: 0,
  });
});

it("tells a program nothing about other gateways", async () => {
  process.env["GATEWRIGHT_READY_FILE"] = "elsewhere";
  const { stdout } = await run("env | grep -c GATEWRIGHT_").finally(
    () => delete process.env["GATEWRIGHT_READY_FILE"],
  );
  expect(stdout).toBe("1\n");
});

it("ends a program that hangs, and what it started", async () => {
  const end = await run("sleep 1000 & echo $!; sleep 1000", { limitMs: 300 });
  expect(end.kind).toBe("hung");
  await expect.poll(() => isRunning(Number(end.stdout))).toBe(false);
});

it("ends a program at once that is not wanted any more before it begins", async () => {
  expect(await run("sleep 1000", { signal: AbortSignal.abort("SIGINT") })).toMatchObject({
    kind: "interrupted",
  });
});

it("ends a program that prints without end", async () => {
  const end = await run("yes");
  expect(end.kind).toBe("flooded");
  expect(end.stdout.length).toBeLessThan(2 * mostOutput);
});

it("says that a program was ended by a signal", async () => {
  expect(await run("kill -TERM $$")).toMatchObject({ kind: "signalled", signal: "SIGTERM" });
});

it("ends what a program leaves behind, and counts it", async () => {
  const end = await run("sleep 1000 >/dev/null 2>&1 & echo $!");
  expect(end).toMatchObject({ kind: "exited", code: 0, leftRunning: 1 });
  await expect.poll(() => isRunning(Number(end.stdout))).toBe(false);
});

it.skipIf(!existsSync("/proc/self/limits")).each([
  ["left the process group", "setsid"],
  ["cleared its environment", "env -i PATH=/usr/bin:/bin setsid"],
  ["closed its files", "env -i PATH=/usr/bin:/bin setsid"],
])("finds what has %s", async (what, prefix) => {
  const file = path.join(folder, randomUUID());
  const closed = what.startsWith("closed") ? "cd /; exec </dev/null >/dev/null 2>&1;" : "";
  const end = await run(
    `${prefix} sh -c '${closed} echo $$ > ${file}; exec sleep 1000' & while [ ! -s ${file} ]; do sleep 0.01; done`,
  );
  expect(end.leftRunning).toBe(1);
  await expect.poll(() => isRunning(Number(readFileSync(file, "utf8")))).toBe(false);
});
