/**
 * The end of the process that has started this one. A test run that is killed cannot end the sandbox that it has started, so
 * the sandbox looks for itself: it sees its standard input end, where that is a pipe, and that it has got another parent.
 */
import { fstatSync } from "node:fs";
import process from "node:process";

const lookEveryMs = 250;

/** Calls `gone` once. Standard input that is a file, a terminal or nothing says nothing about the parent. */
export function onParentGone(gone: () => void): void {
  const parent = process.ppid;
  const told = (): void => {
    clearInterval(timer);
    process.stdin.off("end", told).off("close", told);
    gone();
  };
  const timer = setInterval(() => process.ppid !== parent && told(), lookEveryMs).unref();
  if (!isPipe(0)) return;
  // What comes is of no interest, its end is. Reading does not keep the process alive.
  process.stdin.once("end", told).once("close", told).on("error", told).resume();
  (process.stdin as NodeJS.ReadStream).unref?.();
}

function isPipe(descriptor: number): boolean {
  try {
    const found = fstatSync(descriptor);
    return found.isFIFO() || found.isSocket();
  } catch {
    return false;
  }
}
