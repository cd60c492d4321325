/**
 * 200 requests with two assertions each, as a whole process, against other test runners. The kit signs each request and
 * also compares each answer with the document; the others send their requests unsigned, one after the other. The kit
 * does not wait for one case to begin the next, so it runs once as it is and once limited to one request at a time.
 * The peers are fetched into a temporary folder, or taken out of one: `--peers FOLDER`.
 */
import { type ChildProcess, fork, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { launcherPath } from "./crash/checkout.ts";
import { type Candidate, compare } from "./lib/paired.ts";
import { goal, heading, table } from "./lib/print.ts";
import { refuseBusyMachine } from "./lib/quiet.ts";

refuseBusyMachine();

const requestCount = 200;
const peerBooks = { newman: "newman@6.2.2", stepci: "stepci@2.8.2" } as const;
const folder = mkdtempSync(path.join(os.tmpdir(), "gatewright-bench-"));
const inFolder = (...names: readonly string[]): string => path.join(folder, ...names);

const given = process.argv.indexOf("--peers");
const peers = given === -1 ? folder : path.resolve(process.argv[given + 1] ?? "");
const peer = (...names: readonly string[]): string => path.join(peers, "node_modules", ...names);

/** Whole runs per second, so that more is better, as in all of these tables. */
const run =
  (args: readonly string[], code: number, env: Readonly<Record<string, string>> = {}) =>
  (): number => {
    const began = process.hrtime.bigint();
    const done = spawnSync(process.execPath, [...args], {
      cwd: folder,
      env: { ...process.env, ...env },
      encoding: "utf8",
    });
    if (done.status !== code)
      throw new Error(`${args[0]} ended with ${done.status}: ${done.stdout}${done.stderr}`);
    return 1e9 / Number(process.hrtime.bigint() - began);
  };

const numbers = Array.from({ length: requestCount }, (_, index) => index + 1);

function ours(baseUrl: string): Candidate[] {
  const rows = numbers.map((number) => `  - { name: r${number} }`).join("\n");
  writeFileSync(
    inFolder("suite.yaml"),
    `kit: 1
id: x-bench-products
title: The product list answers two hundred times
spec: [PRD-01]
safety: read
rows:
${rows}
steps:
  - id: list
    call: { op: products }
    expect: { status: 200, body: { success: true } }
`,
  );
  writeFileSync(
    inFolder("one-at-a-time.yaml"),
    `kit: 1
name: bench
baseUrl: ${baseUrl}
credentials:
  trader: { keyId: bench, secret: '\${env:BENCH_SECRET}' }
safety:
  budget: { concurrency: 1 }
`,
  );
  const target = ["--target", baseUrl, "--key-id", "bench", "--secret-env", "BENCH_SECRET"];
  // Scenarios of one's own that pass end with 0: PASSED.
  const code = 0;
  const secret = { BENCH_SECRET: "a secret that is not checked" };
  const kit = (...args: readonly string[]) =>
    run([launcherPath, "conform", ...args, "--scenarios", "suite.yaml"], code, secret);
  return [
    { name: "gatewright conform", slice: kit(...target) },
    { name: "the same, one at a time", slice: kit("--profile", "one-at-a-time.yaml") },
  ];
}

function newman(baseUrl: string): Candidate {
  const exec = [
    "pm.test('status', () => pm.response.to.have.status(200));",
    "pm.test('success', () => pm.expect(pm.response.json().success).to.eql(true));",
  ];
  const item = numbers.map((number) => ({
    name: `r${number}`,
    request: { method: "GET", url: `${baseUrl}/product` },
    event: [{ listen: "test", script: { exec } }],
  }));
  const schema = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json";
  writeFileSync(inFolder("collection.json"), JSON.stringify({ info: { name: "bench", schema }, item }));
  const bin = peer("newman", "bin", "newman.js");
  return { name: "newman", slice: run([bin, "run", "collection.json"], 0) };
}

function stepci(baseUrl: string): Candidate {
  const steps = numbers
    .map(
      (number) => `      - name: r${number}
        http:
          url: ${baseUrl}/product
          method: GET
          check: { status: 200, jsonpath: { $.success: true } }`,
    )
    .join("\n");
  writeFileSync(
    inFolder("workflow.yml"),
    `version: "1.1"\nname: bench\ntests:\n  bench:\n    steps:\n${steps}\n`,
  );
  const bin = peer("stepci", "dist", "index.js");
  return { name: "stepci", slice: run([bin, "run", "workflow.yml"], 0, { STEPCI_DISABLE_ANALYTICS: "1" }) };
}

function installPeers(): void {
  writeFileSync(inFolder("package.json"), "{}");
  const install = ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...Object.values(peerBooks)];
  const installed = spawnSync("npm", install, { cwd: folder, stdio: ["ignore", "ignore", 2] });
  if (installed.status !== 0)
    throw new Error("the peers cannot be fetched: this benchmark needs the package registry");
}

async function portOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("message", (port) => resolve(Number(port)));
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)));
  });
}

const server = fork(fileURLToPath(new URL("./servers/listing.js", import.meta.url)));
try {
  const baseUrl = `http://127.0.0.1:${await portOf(server)}/api/v1/trading`;
  if (given === -1) installPeers();
  heading(`${requestCount} requests with two assertions each, whole processes`);
  const rows = await compare("gatewright conform", [...ours(baseUrl), newman(baseUrl), stepci(baseUrl)], 5);
  table(rows, "gatewright conform", "runs/s");
  const of = (name: string): number => rows.find((row) => row.name === name)?.ratio.median ?? Number.NaN;
  goal("wall time at most 0.35x of newman", of("newman") <= 0.35, `${of("newman").toFixed(2)}x`);
  goal("wall time at most 0.5x of stepci", of("stepci") <= 0.5, `${of("stepci").toFixed(2)}x`);
} finally {
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}
