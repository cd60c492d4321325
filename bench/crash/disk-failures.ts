/**
 * `disk-failures`: a real full disk (a small tmpfs, needs root) and failing flushes (needs strace), under a venue that
 * is started as a user starts it. A trial that cannot run here is reported as such.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { Random } from "../../simulator/engine/testing/random.ts";
import { onCopy, problemsInBooks } from "./books.ts";
import { type DiskFault, runThroughFault, workersFor } from "./disk.ts";
import { crashWorldText } from "./market.ts";
import { killAllVenues, type ServedVenue, type StartOptions, startVenue } from "./served-venue.ts";
import { emptyMemory } from "./workload.ts";

const scratch = mkdtempSync(path.join(os.tmpdir(), "gatewright-disk-"));
const world = path.join(scratch, "crash-world.yaml");
writeFileSync(world, crashWorldText);
let failed = false;

/** A fault, then a kill, then the file and a new start are asked. */
async function judge(
  name: string,
  start: StartOptions & { readonly db: string },
  faultOf: (venue: ServedVenue) => DiskFault,
): Promise<void> {
  const memory = emptyMemory();
  const problems: string[] = [];
  const venue = await startVenue(start);
  const fault = faultOf(venue);
  const workers = workersFor(venue.ready, new Random(1));
  const seen = await runThroughFault(venue.ready, workers, memory, fault);
  problems.push(...seen.problems);
  await venue.kill();
  problems.push(...onCopy(start.db, (db) => problemsInBooks(db, memory.history, memory.balances), scratch));
  const again = await startVenue({ db: start.db, flags: start.flags ?? [] });
  const { code } = await again.stop();
  if (code !== 0) problems.push(`the venue that was started again ended with ${code}`);
  report(name, problems, {
    acknowledged: memory.acknowledged,
    recoveredMs: seen.recoveredMs,
    refusal: seen.refusal?.body,
    readiness: seen.readiness?.body["message"],
    stderr: venue.stderr(),
  });
}

function report(name: string, problems: readonly string[], facts: Readonly<Record<string, unknown>>): void {
  failed ||= problems.length > 0;
  process.stdout.write(`${name}: ${problems.length === 0 ? "sound" : "PROBLEMS"} ${JSON.stringify(facts)}\n`);
  for (const problem of problems) process.stdout.write(`  PROBLEM: ${problem}\n`);
}

async function fullDisk(): Promise<void> {
  const folder = path.join(scratch, "small");
  mkdirSync(folder);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", folder], { stdio: "pipe" });
  } catch {
    process.stdout.write("full disk: not run, a tmpfs cannot be mounted here\n");
    return;
  }
  const ballast = path.join(folder, "ballast");
  try {
    await judge("full disk", { db: path.join(folder, "venue.db"), flags: ["--world", world] }, () => ({
      begin: () => fill(ballast),
      end: () => rmSync(ballast),
    }));
  } finally {
    killAllVenues();
    spawnSync("umount", [folder]);
  }
}

/** Takes every byte that is left. */
function fill(file: string): void {
  spawnSync("dd", ["if=/dev/zero", `of=${file}`, "bs=4k"], { stdio: "ignore" });
}

/** Every flush fails, but the written data stays in the cache of the kernel: the worst combination. */
async function failingFlushes(): Promise<void> {
  if (spawnSync("strace", ["-V"]).status !== 0) {
    process.stdout.write("failing flushes: not run, there is no strace here\n");
    return;
  }
  const start = { db: path.join(scratch, "flushes.db"), flags: ["--world", world] };
  await judge("failing flushes", start, (venue) => {
    let strace: ChildProcess | undefined;
    return {
      begin: async () => {
        const inject = ["-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:error=EIO"];
        strace = spawn("strace", ["-f", "-qq", "-o", "/dev/null", ...inject, "-p", String(venue.ready.pid)]);
        await until(() => tracerOf(venue.ready.pid) !== "0");
      },
      end: async () => {
        strace?.kill("SIGINT");
        await until(() => tracerOf(venue.ready.pid) === "0");
      },
    };
  });
}

const tracerOf = (pid: number): string =>
  /^TracerPid:\s*([0-9]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";

async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > end) throw new Error("strace does not come or go");
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

try {
  await fullDisk();
  await failingFlushes();
} finally {
  killAllVenues();
  rmSync(scratch, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
