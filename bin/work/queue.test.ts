/** Signs of life, at a queue that answers when the test says so. */
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type HeldJob, keepAlive, type Queue } from "./queue.ts";

const job: HeldJob = { id: "00000000-0000-4000-8000-000000000001", queue: "trials", data: {}, again: 0 };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A queue, and how it answers the sign that is under way. */
function answering() {
  let answer: (rows: readonly object[]) => void = () => {};
  const executeSql = () =>
    new Promise((resolve) => {
      answer = (rows) => resolve({ rows });
    });
  // as: no more of a queue is asked for.
  return {
    queue: { getDb: () => ({ executeSql }) } as unknown as Queue,
    answer: (held: boolean) => answer(held ? [job] : []),
  };
}

it.each([
  { what: "is held", isHeld: true, isDone: false, calls: 0 },
  { what: "is another's", isHeld: false, isDone: false, calls: 1 },
  { what: "was done while the sign was under way", isHeld: false, isDone: true, calls: 0 },
])("calls lost $calls times when the job $what", async ({ isHeld, isDone, calls }) => {
  const { queue, answer } = answering();
  const lost = vi.fn<() => void>();
  const alive = keepAlive(queue, job, lost);
  vi.advanceTimersByTime(3000);
  if (isDone) alive[Symbol.dispose]();
  answer(isHeld);
  await vi.advanceTimersByTimeAsync(0);
  expect(lost).toHaveBeenCalledTimes(calls);
  alive[Symbol.dispose]();
});
