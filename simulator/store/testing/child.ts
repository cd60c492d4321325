/**
 * A process of its own for the tests: it can hold a lock, be killed, and hit limits without the test run
 * noticing.
 */
import { writeSync } from "node:fs";
import process from "node:process";
import { StoreFailure } from "../../sequencer/store-failure.ts";
import { appendSamples, openSample } from "./sample.ts";

const [, , mode = "", file = ""] = process.argv;
const batchSize = 8;

/**
 * Synchronous: everything printed was acknowledged, whenever the kill comes. A pipe that the test has not emptied yet
 * refuses with EAGAIN, and takes the line later.
 */
const say = (value: unknown): void => {
  const line = `${JSON.stringify(value)}\n`;
  for (;;) {
    try {
      writeSync(1, line);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
};

try {
  const journal = openSample(file);
  say("open");
  if (mode === "hold") {
    process.stdin.resume();
  } else if (mode === "leave") {
    // Ends as a crash does, with everything in the log.
    for (let batch = 0; batch < 10; batch++) appendSamples(journal, 4);
    process.kill(process.pid, "SIGKILL");
  } else if (mode === "load") {
    for (;;) {
      appendSamples(journal, batchSize);
      say(journal.last()?.seq);
    }
  } else {
    journal.close();
  }
} catch (error) {
  if (!(error instanceof StoreFailure)) throw error;
  say({ kind: error.kind, outcome: error.outcome, message: error.message });
  process.exitCode = 3;
}
