/**
 * A lock between processes: a folder, because making one is atomic on every file system.
 * The holder touches it every few seconds. A lock that was not touched for a while, or whose holder has ended, is
 * stale.
 */
import { mkdirSync, readFileSync, rmdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";

const heartbeatMs = 5_000;
const staleAfterMs = 60_000;

/** Takes the lock and returns its release, or returns undefined when another process holds it. */
export function tryLock(folder) {
  if (!made(folder)) return undefined;
  const owner = path.join(folder, "owner.json");
  const text = JSON.stringify({ pid: process.pid, host: os.hostname() });
  writeFileSync(owner, text);
  const heartbeat = setInterval(() => touch(folder), heartbeatMs);
  heartbeat.unref();
  return () => {
    clearInterval(heartbeat);
    // A process that lost the lock (a sleeping laptop, for example) must not remove the lock of the next
    // holder.
    if (read(owner) === text) rmSync(folder, { recursive: true, force: true });
  };
}

/** Removes the lock if its holder is gone. A second, short-lived folder keeps two removers from hitting a new lock. */
export function removeIfStale(folder) {
  if (!isStale(folder)) return;
  const breaker = `${folder}.break`;
  if (!made(breaker)) {
    if (ageOf(breaker) > staleAfterMs) rmSync(breaker, { recursive: true, force: true });
    return;
  }
  try {
    if (isStale(folder)) rmSync(folder, { recursive: true, force: true });
  } finally {
    rmdirSync(breaker);
  }
}

export function isStale(folder) {
  const age = ageOf(folder);
  if (age === undefined) return false;
  if (age > staleAfterMs) return true;
  const owner = parse(read(path.join(folder, "owner.json")));
  return owner !== undefined && owner.host === os.hostname() && !isAlive(owner.pid);
}

function made(folder) {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if (error.code === "EEXIST") return false;
    throw error;
  }
}

function touch(folder) {
  const now = new Date();
  try {
    utimesSync(folder, now, now);
  } catch {
    // Removed by hand: there is nothing to keep alive.
  }
}

function ageOf(folder) {
  const stat = statSync(folder, { throwIfNoEntry: false });
  return stat === undefined ? undefined : Date.now() - stat.mtimeMs;
}

function read(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}
