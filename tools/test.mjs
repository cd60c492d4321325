/**
 * `npm test`: sets up, then runs every check in turn, and ends with one line that counts them all.
 * `--whole` tries every row of the tables of which only a sample is tried otherwise. Other arguments are passed on to
 * vitest: `npm test -- simulator/engine`.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { readPackage, refuseOldNode } from "../bin/node-version.mjs";
import { at, root } from "./freshness.mjs";

refuseOldNode(readPackage().engines.node);

const node = (...args) =>
  spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 1, 2] }).status ?? 1;
const binary = (name) => at("node_modules", ".bin", name);
const tool = (name, ...args) =>
  spawnSync(binary(name), args, { cwd: root, stdio: ["ignore", 1, 2], shell: process.platform === "win32" })
    .status ?? 1;

const scratch = mkdtempSync(path.join(os.tmpdir(), "gatewright-test-"));
const resultsFile = path.join(scratch, "vitest.json");
const total = { passed: 0, failed: 0 };

check("setup", () => node(at("tools", "setup.mjs")));
// A build that fails is one failed check among others; without an install there is nothing to run them with.
if (existsSync(binary("vitest"))) {
  check("typecheck", () => tool("tsc", "--noEmit"));
  check("lint", () => tool("oxlint", "--type-aware", "--deny-warnings"));
  check("format", () => tool("biome", "check"));
  const isWhole = (argument) => argument === "--whole";
  if (process.argv.some(isWhole)) process.env.GATEWRIGHT_TESTS = "whole";
  runVitest(process.argv.slice(2).filter((argument) => !isWhole(argument)));
}
rmSync(scratch, { recursive: true, force: true });

process.exitCode = total.failed === 0 ? 0 : 1;
console.log(`${total.passed} passed, ${total.failed} failed`);

function check(name, run) {
  console.log(`\n> ${name}`);
  const isGood = run() === 0;
  total[isGood ? "passed" : "failed"] += 1;
  console.log(`${name}: ${isGood ? "passed" : "FAILED"}`);
}

function runVitest(filters) {
  console.log("\n> vitest");
  const code = tool(
    "vitest",
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${resultsFile}`,
    ...filters,
  );
  const { passed, failed } = countsIn(resultsFile);
  total.passed += passed;
  // An error outside any test (an unhandled rejection, a crash, no test found) fails the run without failing a test.
  total.failed += failed === 0 && code !== 0 ? 1 : failed;
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
