/** How long a connection is silent because of a fault: on the clock of the test, not on that of the wall. */
import type { Socket } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FaultInjector } from "./fault-injector.ts";
import { bodyOf } from "./frame.ts";
import { SendQueue } from "./send-queue.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits = { bytes: 1000, messages: 10 };

test.each(["streamStall", "streamSlow"] as const)("%s ends by itself, when its time is over", (kind) => {
  let spoken = 0;
  // as: nothing is written before the silence is over.
  const queue = new SendQueue({} as Socket, limits, () => undefined);
  const injector = new FaultInjector(queue, { terminate: () => undefined }, () => (spoken += 1));
  injector.push(bodyOf("{}"), { kind, ms: 700 }, 0);
  vi.advanceTimersByTime(699);
  expect(spoken).toBe(0);
  vi.advanceTimersByTime(200);
  expect(spoken).toBe(1);
});

test("streamStall: the last of several says when it ends", () => {
  let spoken = 0;
  // as: nothing is written before the silence is over.
  const queue = new SendQueue({} as Socket, limits, () => undefined);
  const injector = new FaultInjector(queue, { terminate: () => undefined }, () => (spoken += 1));
  injector.push(bodyOf("{}"), { kind: "streamStall", ms: 700 }, 0);
  vi.advanceTimersByTime(500);
  injector.push(bodyOf("{}"), { kind: "streamStall", ms: 700 }, 500);
  vi.advanceTimersByTime(699);
  expect(spoken).toBe(0);
  vi.advanceTimersByTime(200);
  expect(spoken).toBe(1);
});
