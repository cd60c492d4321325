/** How long a connection is silent because of a fault: on the clock of the test, not on that of the wall. */
import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FaultInjector } from "./fault-injector.ts";
import { bodyOf } from "./frame.ts";
import { SendQueue } from "./send-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = { bytes: 1000, messages: 10 };

test.each([
  { kind: "streamStall", at: [0], ends: 700 },
  { kind: "streamSlow", at: [0], ends: 700 },
  // The last of several says when it ends.
  { kind: "streamStall", at: [0, 500], ends: 1200 },
] as const)("$kind for 700 ms at $at ends by itself at $ends", ({ kind, at, ends }) => {
  let spoken = 0;
  // as: nothing is written before the silence is over.
  const queue = new SendQueue({} as Socket, limits, () => undefined);
  const injector = new FaultInjector(queue, { terminate: () => undefined }, () => (spoken += 1));
  let now = 0;
  for (const start of at) {
    vi.advanceTimersByTime(start - now);
    now = start;
    injector.push(bodyOf("{}"), { kind, ms: 700 }, now);
  }
  vi.advanceTimersByTime(ends - 1 - now);
  expect(spoken).toBe(0);
  vi.advanceTimersByTime(200);
  expect(spoken).toBe(1);
});
