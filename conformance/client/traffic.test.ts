import { describe, expect, it } from "vitest";
import type { Exchange } from "../model/exchange.ts";
import { Blocked } from "../model/outcome.ts";
import type { Budget } from "../model/profile.ts";
import { plainProfile } from "../parse/profile.ts";
import { pauseAsked } from "./busy.ts";
import { Traffic } from "./traffic.ts";

function traffic(budget: Partial<Budget>, lockoutAfter?: number): Traffic {
  const made = plainProfile("http://127.0.0.1:1/api/v1/trading", "kid", "secret");
  if (typeof made === "string") throw new Error(made);
  return new Traffic({
    ...made,
    safety: { ...made.safety, budget: { ...made.safety.budget, ...budget } },
    auth: { ...made.auth, ...(lockoutAfter === undefined ? {} : { lockoutAfter }) },
  });
}

const answered = (status: number, headers: [string, string][] = []): Exchange => ({
  request: { method: "GET", path: "/", headers: [], body: new Uint8Array(), role: "trader" },
  transport: "response",
  reply: { status, headers, body: new Uint8Array() },
  startedAt: 0,
  endedAt: 0,
});

/** The entries that have passed by now, without waiting for the others. */
async function through(entering: readonly Promise<void>[]): Promise<number> {
  let count = 0;
  for (const one of entering) void one.then(() => (count += 1));
  await new Promise((resolve) => setImmediate(resolve));
  return count;
}

describe("when a request may leave", () => {
  it("is not while as many are on their way as the budget allows, and a race asks for all places at once", async () => {
    const lane = traffic({ concurrency: 3, rps: 1_000_000 });
    const entering = [lane.enter(2), lane.enter(2), lane.enter(1)];
    expect(await through(entering)).toBe(1);
    lane.leave();
    expect(await through(entering)).toBe(2);
    await expect(lane.enter(4)).rejects.toBeInstanceOf(Blocked);
  });

  const paused = (lane: Traffic) => lane.pause(60_000);
  const refusedTwice = (lane: Traffic) => {
    lane.noteStatus(answered(401));
    lane.noteStatus(answered(403));
  };

  it.each([
    ["the target has asked for a pause", paused, undefined],
    ["one more refusal could lock the key", refusedTwice, 3],
  ] as const)("is not while %s", async (_, prepare, lockoutAfter) => {
    const lane = traffic({ rps: 1_000_000 }, lockoutAfter);
    await lane.enter(1);
    lane.leave();
    prepare(lane);
    const abort = new AbortController();
    const entering = lane.enter(1, abort.signal);
    abort.abort();
    await expect(entering).rejects.toThrow("interrupted");
  });

  it("is now when refusals are far from the limit", async () => {
    const lane = traffic({ rps: 1_000_000 }, 4);
    refusedTwice(lane);
    await lane.enter(1);
  });

  it("does not count against the case that waits", async () => {
    const lane = traffic({ rps: 20 });
    await lane.enter(1);
    const [real, own] = [performance.now(), lane.now()];
    await lane.enter(1);
    expect(lane.now() - own).toBeLessThan(performance.now() - real);
  });
});

describe("the pause that a busy target asks for", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  it.each([
    ["seconds", "3", 3_000],
    ["a date", "Thu, 01 Jan 2026 00:00:05 GMT", 5_000],
    ["a century, cut to a minute", "999999", 60_000],
    ["a date that is over", "Thu, 01 Jan 2015 00:00:05 GMT", 500],
    ["nonsense", "soon", 500],
  ])("is %s", (_, text, expected) => {
    expect(pauseAsked(answered(429, [["Retry-After", text]]), 2, now)).toBe(expected);
  });
});
