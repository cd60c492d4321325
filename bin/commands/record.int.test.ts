/** `gatewright record` as it is typed: the file after a kill, and its end. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Simulator, startSimulator } from "../../simulator/index.ts";

const launcher = path.resolve(import.meta.dirname, "../gatewright");
let simulator: Simulator;
let place = "";
beforeAll(async () => {
  place = mkdtempSync(path.join(os.tmpdir(), "record-"));
  simulator = await startSimulator();
  writeFileSync(path.join(place, "ready.json"), JSON.stringify(simulator.readyLine()));
});
afterAll(async () => {
  await simulator.close();
  rmSync(place, { recursive: true });
});

interface Recording {
  readonly child: ChildProcess;
  readonly url: string;
  readonly pid: number;
  readonly output: () => string;
}

async function record(out: string): Promise<Recording> {
  const child = spawn(
    process.execPath,
    [launcher, "record", "--ready-file", "ready.json", "--out", out, "--json"],
    {
      cwd: place,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  let output = "";
  child.stdout.on("data", (text) => (output += String(text)));
  await expect.poll(() => output).toContain("\n");
  const { url, pid } = JSON.parse(output.split("\n")[0] ?? "") as { url: string; pid: number };
  return { child, url, pid, output: () => output };
}

const textOf = (name: string): string => readFileSync(path.join(place, name), "utf8");

it("leaves every line when it is killed, but the one in the making", async () => {
  const { child, url, pid } = await record("killed.recording");
  let answered = 0;
  const asking = Array.from({ length: 8 }, async () => {
    for (;;) {
      const reply = await fetch(`${url}/order`, { method: "POST", body: "x".repeat(9000) });
      await reply.text();
      answered += 1;
    }
  });
  await expect.poll(() => answered).toBeGreaterThan(50);
  process.kill(pid, "SIGKILL");
  await Promise.allSettled(asking);
  if (child.exitCode === null && child.signalCode === null) await once(child, "close");
  // What follows the last line feed is empty, or a line that the kill cut in the middle of its write.
  const lines = textOf("killed.recording").split("\n").slice(0, -1);
  const kinds = lines.map((line) => (JSON.parse(line) as { kind: string }).kind);
  expect(kinds[0]).toBe("recording");
  expect(kinds.slice(1).every((kind) => kind === "exchange")).toBe(true);
  // A line is written once its answer has left, so the last answer of each client may lack its own.
  expect(kinds.length - 1).toBeGreaterThanOrEqual(answered - 8);
});

it("ends with a signal, and says how much there is", async () => {
  const { child, url, pid, output } = await record("whole.recording");
  expect((await fetch(`${url}/order/open`)).status).toBe(401);
  process.kill(pid, "SIGINT");
  if (child.exitCode === null) await once(child, "close");
  expect(child.exitCode).toBe(0);
  expect(output().trim().split("\n").at(-1)).toBe('{"event":"end","exchanges":1,"frames":0,"leftOut":0}');
  expect(textOf("whole.recording").trim().split("\n").at(-1)).toMatch(/^\{"kind":"end",/);
});
