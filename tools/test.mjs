/**
 * `npm test`: sets up, then runs every check, and ends with one line that counts them all. The static checks run beside
 * vitest, one after the other, and their output follows that of vitest.
 * `--whole` tries every row of the tables of which only a sample is tried otherwise. Other arguments are passed on to
 * vitest: `npm test -- simulator/engine`.
 */
import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { readPackage, refuseOldNode } from "../bin/node-version.mjs";
import { at, holdsScenarios, root } from "./freshness.mjs";

refuseOldNode(readPackage().engines.node);

const binary = (name) => at("node_modules", ".bin", name);
const scratch = mkdtempSync(path.join(os.tmpdir(), "gatewright-test-"));
// A few tests start a program as another user, who must be able to reach its folder.
chmodSync(scratch, 0o755);
// Tests leave folders behind in the temp folder; these go with ours. Windows has the other two names.
for (const name of ["TMPDIR", "TEMP", "TMP"]) process.env[name] = scratch;
const resultsFile = path.join(scratch, "vitest.json");
const total = { passed: 0, failed: 0 };
const running = new Set();
// Whatever runs is ended, and what follows it is not begun. Then the scratch folder is removed as always.
let isInterrupted = false;
for (const signal of ["SIGINT", "SIGTERM"])
  process.on(signal, () => {
    isInterrupted = true;
    for (const child of running) child.kill(signal);
  });

tell("setup", await run(process.execPath, [at("tools", "setup.mjs")]));
if (!holdsScenarios()) tell("build", await run(process.execPath, [at("tools", "build.mjs"), "--types"]));
// A build that fails is one failed check among others; without an install there is nothing to run them with.
if (existsSync(binary("vitest"))) {
  // A start builds none, and two tests compile against them.
  tell("types", await run(process.execPath, [at("tools", "types.mjs")]));
  const isWhole = (argument) => argument === "--whole";
  if (process.argv.some(isWhole)) process.env.GATEWRIGHT_TESTS = "whole";
  const checks = staticChecks();
  await runVitest(process.argv.slice(2).filter((argument) => !isWhole(argument)));
  for (const [name, ended] of await checks) tell(name, ended);
}
removeScratch();

process.exitCode = total.failed === 0 ? 0 : 1;
console.log(`\n${total.passed} passed, ${total.failed} failed`);

/** Its exit code, and what it said when that was not shown at once. */
function run(command, args, { shows = true, shell = false } = {}) {
  if (isInterrupted) return { code: 1, output: "interrupted\n" };
  return new Promise((resolve) => {
    const stdio = ["ignore", shows ? 1 : "pipe", shows ? 2 : "pipe"];
    const child = spawn(command, args, { cwd: root, stdio, shell });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text) => (output += text));
    running.add(child);
    const end = (code, more) => {
      running.delete(child);
      resolve({ code, output: output + more });
    };
    child.once("error", (error) => end(1, `${error.message}\n`));
    child.once("close", (code) => end(code ?? 1, ""));
  });
}

function tool(name, args, options) {
  return run(binary(name), args, { ...options, shell: process.platform === "win32" });
}

async function staticChecks() {
  return [
    ["typecheck", await tool("tsc", ["--noEmit"], { shows: false })],
    ["typecheck of the console", await tool("tsc", ["-p", "simulator/console"], { shows: false })],
    ["lint", await tool("oxlint", ["--type-aware", "--deny-warnings"], { shows: false })],
    ["format", await tool("biome", ["check"], { shows: false })],
  ];
}

function tell(name, { code, output }) {
  process.stdout.write(output === "" ? "" : `\n> ${name}\n${output}`);
  console.log(`${name}: ${code === 0 ? "passed" : "FAILED"}`);
  total[code === 0 ? "passed" : "failed"] += 1;
}

async function runVitest(filters) {
  console.log("\n> vitest");
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${resultsFile}`];
  const { code } = await tool("vitest", ["run", ...reporters, ...filters]);
  const { passed, failed } = countsIn(resultsFile);
  total.passed += passed;
  // An error outside any test (an unhandled rejection, a crash, no test found) fails the run without failing a test.
  total.failed += failed === 0 && code !== 0 ? 1 : failed;
}

function removeScratch() {
  try {
    rmSync(scratch, { recursive: true, force: true, maxRetries: 3 });
  } catch (error) {
    console.log(`${scratch} cannot be removed: ${error.message}`);
  }
}

function countsIn(file) {
  let results;
  try {
    results = JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return { passed: 0, failed: 0 };
  }
  // A file that does not load has failed without having a failed test.
  const brokenFiles = results.testResults.filter(
    (one) => one.status === "failed" && !one.assertionResults.some((test) => test.status === "failed"),
  );
  return { passed: results.numPassedTests, failed: results.numFailedTests + brokenFiles.length };
}
