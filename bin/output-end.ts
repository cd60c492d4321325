/**
 * The end of whoever reads our output. A pipe says so when it is written to, which may never be; on Linux /proc shows whether
 * the process that reads it has gone. Elsewhere, and for a reader that /proc does not show, the next line finds out.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import process from "node:process";

const lookEveryMs = 250;

/** Calls `gone` once. Returns what ends the look. */
export function onOutputUnread(gone: () => void): () => void {
  const pipe = linkOf("/proc/self/fd/1");
  let reader = pipe?.startsWith("pipe:") === true ? readerOf(pipe) : undefined;
  if (pipe === undefined || reader === undefined) return () => undefined;
  const timer = setInterval(() => {
    if (reader !== undefined && linkOf(reader) === pipe) return;
    reader = readerOf(pipe);
    if (reader !== undefined) return;
    clearInterval(timer);
    gone();
  }, lookEveryMs).unref();
  return () => clearInterval(timer);
}

/** Path of a descriptor with which another process of this user reads the pipe. */
function readerOf(pipe: string): string | undefined {
  for (const pid of namesIn("/proc")) {
    if (!/^\d+$/.test(pid) || pid === String(process.pid)) continue;
    for (const descriptor of namesIn(`/proc/${pid}/fd`)) {
      const path = `/proc/${pid}/fd/${descriptor}`;
      if (linkOf(path) === pipe && isRead(`/proc/${pid}/fdinfo/${descriptor}`)) return path;
    }
  }
  return undefined;
}

/** The last octal digit of the flags is 0 for reading, 1 for writing and 2 for both. */
function isRead(info: string): boolean {
  try {
    return /^flags:\s+\d*[02]$/m.test(readFileSync(info, "utf8"));
  } catch {
    return false;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}
