/** Runs the garbage collector and measures the memory that is still in use. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
export const collectGarbage = runInNewContext("gc") as () => void;

/**
 * Including buffers, which are not on the heap. Collected twice, because the first round only marks garbage that the
 * second one frees.
 */
export function bytesHeld(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
