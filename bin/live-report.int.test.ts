import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";

const launcher = path.resolve(import.meta.dirname, "gatewright");
const answered = 6;
const products = JSON.stringify({
  statusCode: 200,
  success: true,
  message: "OK",
  data: [{ name: "BTC", availablePairs: [] }],
});

/** Answers a few requests and then no more. */
async function tiringTarget(): Promise<string> {
  let requests = 0;
  const server = createServer((_, response) => {
    requests += 1;
    if (requests <= answered) response.writeHead(200, { "content-type": "application/json" }).end(products);
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1/trading`;
}

it("a run that is killed leaves its results, line by line", async () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [suite, file] = [path.join(folder, "suite.yaml"), path.join(folder, "report.ndjson")];
  const rows = Array.from({ length: 40 }, (_, index) => `{ name: r${index} }`).join(", ");
  writeFileSync(
    suite,
    `kit: 1\nid: x-listing\ntitle: T\nspec: [PRD-01]\nsafety: read\nrows: [${rows}]\nsteps:\n  - call: { op: products }\n    expect: { status: 200 }\n`,
  );
  const named = ["--target", await tiringTarget(), "--key-id", "key", "--secret-env", "KEY_SECRET"];
  const child = spawn(
    process.execPath,
    [launcher, "conform", ...named, "--scenarios", suite, "--report", `ndjson=${file}`],
    { stdio: "ignore", cwd: folder, env: { ...process.env, KEY_SECRET: "a secret of nobody" } },
  );
  const ended = new Promise((resolve) => child.once("close", (_, signal) => resolve(signal)));
  const lines = (): string[] => (existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : []);
  await expect.poll(() => lines().length, { timeout: 150_000, interval: 50 }).toBeGreaterThan(2);
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");
  const values = lines().map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(values[0]).toMatchObject({ line: "header", type: "gatewright-report/1", level: "core" });
  const cases = values.slice(1);
  expect(cases.length).toBeGreaterThan(1);
  for (const one of cases)
    expect(one).toMatchObject({ line: "case", outcome: "passed", clauses: ["PRD-01"] });
});
