/**
 * Makes a checkout ready to run: installs the dependencies and builds, each only when needed. Needs nothing but Node
 * and npm. Everything it says goes to stderr, because stdout belongs to the program that starts afterwards.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { readPackage, refuseOldNode } from "../bin/node-version.mjs";
import { at, isBuilt, isReady, looksInstalled, readStamp, root, runtime, stampFile } from "./freshness.mjs";
import {
  firstMismatch,
  hasLockfile,
  installKey,
  nativeModuleLoads,
  packagesLaidDown,
  sqliteDriver,
} from "./installed.mjs";
import { removeIfStale, tryLock } from "./lock.mjs";

const lockFolder = at(".gatewright-setup.lock");
const progressMs = 3_000;
const exitBySignal = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

refuseOldNode(readPackage().engines.node);
if (!isReady()) await setUp();

async function setUp() {
  const release = await waitForLock();
  if (release === undefined) return;
  let child;
  for (const [signal, code] of Object.entries(exitBySignal)) {
    process.once(signal, () => {
      child?.kill(signal);
      release();
      process.exit(code);
    });
  }
  const run = (command, args, options) => {
    child = spawn(command, args, { cwd: root, stdio: ["ignore", 2, 2], env: cleanEnvironment(), ...options });
    return ended(child);
  };
  let code;
  try {
    code = (await install(run)) || (await build(run));
  } catch (error) {
    say(`failed: ${error.message}`);
    code = 1;
  } finally {
    release();
  }
  process.exitCode = code;
}

/** Waits while another process sets up. Returns the release, or undefined when the other one has done it all. */
async function waitForLock() {
  for (let said = false; ; said = true) {
    const release = takeLock();
    if (release !== undefined) return release;
    if (!said) say("another process is setting up this folder; waiting for it ...");
    await sleep(250);
    if (isReady()) return undefined;
    removeIfStale(lockFolder);
  }
}

function takeLock() {
  try {
    return tryLock(lockFolder);
  } catch (error) {
    say(
      `cannot write to ${root} (${error.code}). Make the folder writable, or set it up as a user who may write.`,
    );
    process.exit(1);
  }
}

async function install(run) {
  if (looksInstalled()) return 0;
  const key = installKey();
  const alreadyHere = readStamp()?.key === key || (firstMismatch() === undefined && nativeModuleLoads());
  if (!alreadyHere) {
    const { name, compiles } = sqliteDriver;
    const hint = compiles ? " (the first time it compiles SQLite, which takes two to five minutes)" : "";
    say(`installing the dependencies${hint} ...`);
    const args = [
      hasLockfile() ? "ci" : "install",
      "--include=dev",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
    ];
    // The one install script that anything here needs is that of the driver that is compiled.
    if (!compiles) args.push("--ignore-scripts");
    // npm is a script, not a program, on Windows.
    const stopTelling = tellProgress(compiles);
    const code = await run("npm", args, { shell: process.platform === "win32" }).finally(stopTelling);
    if (code !== 0) {
      say(`npm ${args[0]} failed (exit ${code}). Read npm's message above, then run: npm ${args[0]}`);
      return code;
    }
    if (!nativeModuleLoads()) {
      say(`${name} is installed but does not load. Its install script may be blocked; run:`);
      say(`  npm rebuild ${name} --ignore-scripts=false`);
      return 1;
    }
  }
  mkdirSync(at("node_modules"), { recursive: true });
  writeFileSync(stampFile, JSON.stringify({ key, runtime }));
  // Some file systems keep coarse times: the stamp must not look older than its lock file.
  const now = new Date();
  utimesSync(stampFile, now, now);
  return 0;
}

/** npm says nothing until it ends. Returns what stops the lines. */
function tellProgress(compiles) {
  const began = Date.now();
  const telling = setInterval(() => {
    const { all, there } = packagesLaidDown();
    const doing = there === all && compiles ? "compiling SQLite" : `${there} of ${all} packages are there`;
    say(`${Math.round((Date.now() - began) / 1000)} s: ${doing} ...`);
  }, progressMs);
  return () => clearInterval(telling);
}

async function build(run) {
  if (isBuilt()) return 0;
  say(existsSync(at("dist")) ? "sources have changed, building ..." : "building ...");
  const code = await run(process.execPath, [at("tools", "build.mjs")]);
  if (code !== 0)
    say(`the build failed (exit ${code}). Correct what the compiler names above, then start again.`);
  return code;
}

function ended(child) {
  return new Promise((resolve, reject) => {
    child.once("error", (error) =>
      reject(
        error.code === "ENOENT"
          ? new Error(`${child.spawnfile} was not found on PATH. Install it and try again.`)
          : error,
      ),
    );
    child.once("close", (code, signal) => resolve(code ?? exitBySignal[signal] ?? 1));
  });
}

/** Under `npm start` our own package's variables would reach the install scripts of the dependencies as theirs. */
function cleanEnvironment() {
  return Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^npm_(lifecycle_|package_(?!config_)|command$)/.test(name),
    ),
  );
}

function say(message) {
  process.stderr.write(`setup: ${message}\n`);
}
