/**
 * A figure from a busy machine says nothing: all candidates wait for the same cores, so every ratio goes to 1. Programs
 * that measure end here unless the machine is idle. With BENCH_BUSY=1 they measure anyway, and then no goal is judged.
 */
import os from "node:os";
import process from "node:process";

/** Half of the cores, and one at least: compiling the program takes a part of one. */
export const mostLoad = (cores: number): number => Math.max(1, cores / 2);

/** Why this machine is no place to measure; undefined if it is idle. */
export function busyness(
  load = os.loadavg()[0] ?? 0,
  cores: number = os.availableParallelism(),
): string | undefined {
  return load <= mostLoad(cores)
    ? undefined
    : `this machine is busy: a load of ${load.toFixed(1)} on ${cores} cores, and at most ${mostLoad(cores)} allows to measure`;
}

const isForced = process.env["BENCH_BUSY"] === "1";

/** Set when the program was told to measure on a busy machine. */
export const unjudged: string | undefined = isForced ? busyness() : undefined;

export function refuseBusyMachine(): void {
  const why = isForced ? undefined : busyness();
  if (why === undefined) return;
  process.stderr.write(`Nothing was measured: ${why}. Wait, or set BENCH_BUSY=1: then no goal is judged.\n`);
  process.exit(3);
}
